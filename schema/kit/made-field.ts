import type { InputFieldMap, OutputRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { AccessRule } from './access-rule.ts'
import type { Context } from './context.ts'

/**
 * Options for `t.field`, of a field whose type and arguments are parameters of the helper that makes it. The helper
 * checks that they fit each other. Pothos computes their shapes only where it knows them, so here they are `unknown`.
 */
export interface MadeField<Parent> {
  readonly type: OutputRef | [OutputRef]
  readonly nullable: boolean
  readonly description: string
  readonly access: AccessRule
  readonly view: 'graph'
  readonly problems?: readonly ErrorCode[]
  readonly body?: z.ZodObject | undefined
  readonly args: InputFieldMap
  readonly resolve: (
    parent: Parent,
    args: Readonly<Record<string, unknown>>,
    context: Context,
    info: GraphQLResolveInfo,
  ) => unknown
}
