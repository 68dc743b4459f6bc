export { sources } from '../resolvers/sources.ts'
