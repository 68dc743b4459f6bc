import type { Catalog } from '../../prisma/client.ts'
import { hash } from '../../warehouse/run.ts'
import { hash as own } from '../projects/projects.ts'
import { hash as page } from './pagination.ts'

export const sources = (db: Catalog) => [db, hash, own, page]
