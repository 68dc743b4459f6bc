export { hash } from '../warehouse/run.ts'
