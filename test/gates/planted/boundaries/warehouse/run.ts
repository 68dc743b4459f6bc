export { hash } from '../core/errors.ts'

export type Warehouse = object
