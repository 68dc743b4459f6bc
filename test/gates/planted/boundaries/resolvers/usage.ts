export { hash } from './projects/reads.ts'
