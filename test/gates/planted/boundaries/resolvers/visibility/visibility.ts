export { builder } from '../../schema/kit/builder.ts'
