export { page } from '../web/serve.ts'
