export { sources } from './sources.ts'
