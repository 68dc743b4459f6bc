export { hash } from '../plugins/auth.ts'
export { page } from '../pages/serve.ts'
export { builder } from '../rest/handler.ts'
