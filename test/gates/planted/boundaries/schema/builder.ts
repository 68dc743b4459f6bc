import { hash } from '../imports/answers.ts'
import { sources } from '../resolvers/sources.ts'
import type { Warehouse } from '../warehouse/run.ts'

export const builder = (warehouse: Warehouse) => [hash, sources, warehouse]
