export { builder } from '../rest/handler/handler.ts'
