import './access.ts'
import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import type { Ratio } from '../../core/metrics.ts'
import type PrismaTypes from '../../prisma/pothos.ts'
import { getDatamodel } from '../../prisma/pothos.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { Context } from './context.ts'

interface Declared {
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Objects: { Project: ProjectScope; Metric: Ratio }
  Scalars: {
    SafeInt: { Input: number; Output: number }
    Date: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
    DateTime: { Input: Date; Output: Date | string }
  }
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<Declared>

export const builder = new SchemaBuilder<Declared>({
  plugins: [PrismaPlugin, 'access'],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.services.db,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    onUnusedQuery: null,
  },
})
