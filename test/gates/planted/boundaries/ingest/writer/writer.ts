export { hash as write } from '../../warehouse/run.ts'
