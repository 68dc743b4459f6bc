export { hash } from './scope.ts'
