export { manyFactsWhere } from './many.sql.ts'
