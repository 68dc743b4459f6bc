export { demo } from '../demo/demo.ts'
export { hash } from '../plugins/auth.ts'
export { builder } from '../rest/handler/handler.ts'
export { page } from '../web/serve.ts'
