import { hash } from '../../imports/answers/answers.ts'
import { sources } from '../../resolvers/sources/sources.ts'
import type { Warehouse } from '../../warehouse/run.ts'

export const builder = (warehouse: Warehouse) => [hash, sources, warehouse]
