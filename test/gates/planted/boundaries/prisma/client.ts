export { hash } from '../core/errors.ts'

export type Catalog = object
