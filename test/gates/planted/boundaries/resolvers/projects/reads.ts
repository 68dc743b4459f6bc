export { hash } from './projects.ts'
