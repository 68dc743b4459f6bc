export { page } from '../test/kit/api.ts'
