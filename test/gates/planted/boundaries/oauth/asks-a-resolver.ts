export { sources } from '../resolvers/sources/sources.ts'
