export { sources } from '../sources/sources.ts'
