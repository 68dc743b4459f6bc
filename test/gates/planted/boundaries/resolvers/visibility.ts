export { builder } from '../schema/builder.ts'
