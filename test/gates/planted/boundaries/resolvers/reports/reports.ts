export { hash } from '../sources/sources.sql.ts'
