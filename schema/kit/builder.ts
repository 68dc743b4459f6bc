import './access.ts'
import SchemaBuilder from '@pothos/core'
import ErrorsPlugin from '@pothos/plugin-errors'
import PrismaPlugin from '@pothos/plugin-prisma'
import RelayPlugin from '@pothos/plugin-relay'
import type PrismaTypes from '../../prisma/pothos.ts'
import { getDatamodel } from '../../prisma/pothos.ts'
import type { Measured } from '../../resolvers/shared/samples/cell.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { Context } from './context.ts'
import type { SliceOwner, SliceType } from './slice-parents.ts'

interface Declared {
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  DefaultEdgesNullability: { list: false; items: false }
  /** Types that helpers of the kit name: an area that implements one has its own shape for it. */
  Objects: { Project: ProjectScope; Metric: Measured } & Record<SliceType, SliceOwner>
  Interfaces: { Brand: SliceOwner }
  Scalars: {
    SafeInt: { Input: number; Output: number }
    Date: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
    DateTime: { Input: Date; Output: Date | string }
  }
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<Declared>

export const builder = new SchemaBuilder<Declared>({
  // From outside to inside: the answer of a mutation holds what `access` refuses too.
  plugins: [ErrorsPlugin, PrismaPlugin, RelayPlugin, 'access'],
  errors: { directResult: true },
  defaultFieldNullability: false,
  relay: {
    cursorType: 'String',
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: { description: 'Rows of the page.' },
    nodeFieldOptions: { nullable: false, description: 'The row.' },
    cursorFieldOptions: { description: 'Cursor of the row, for `after`.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'Rows with their cursors.',
    },
    pageInfoFieldOptions: { nullable: false, description: 'Where the page begins and ends.' },
    pageInfoTypeOptions: { description: 'Where a page begins and ends in its list.' },
    hasNextPageFieldOptions: { description: 'Whether more rows follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether rows precede this page.' },
    startCursorFieldOptions: {
      nullable: true,
      description: 'Cursor of the first row; null on a page without rows.',
    },
    endCursorFieldOptions: {
      nullable: true,
      description:
        'Cursor of the last row: the `after` of the next page. Null on a page without rows.',
    },
  },
  prisma: {
    client: (context) => context.services.db,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    onUnusedQuery: null,
  },
})
