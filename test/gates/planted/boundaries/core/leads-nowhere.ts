export { nothing } from './nothing.ts'
