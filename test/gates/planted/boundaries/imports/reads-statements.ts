export { stagedLines } from '../resolvers/prompts/import.sql.ts'
