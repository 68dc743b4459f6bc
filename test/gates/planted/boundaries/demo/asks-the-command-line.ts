export { page } from '../cli/main.ts'
