export { hash } from '../shared/facts.sql.ts'
