export { manyFactsWhere } from '../shared/many.sql.ts'
