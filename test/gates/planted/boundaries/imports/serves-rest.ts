export { builder } from '../rest/handler.ts'
