export { hash } from '../projects/projects.ts'
