export { page } from '../pages/serve.ts'
