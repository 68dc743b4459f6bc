export { hash } from '../../core/errors.ts'
