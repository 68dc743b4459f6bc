import type { Catalog } from '../prisma/client.ts'
import { hash } from '../warehouse/run.ts'
import { hash as own } from './projects.ts'
import { hash as walk } from './sources-walk.ts'

export const sources = (db: Catalog) => [db, hash, own, walk]
