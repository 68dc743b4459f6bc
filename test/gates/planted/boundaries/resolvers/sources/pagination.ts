export { hash } from './sources.sql.ts'
