import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import { checkParam, type ParamRule } from '../core/params.ts'
import { type AccessRule, admit } from './admit.ts'
import type { Context } from './context.ts'

const guarded = new Set(['Query', 'Mutation', 'Project'])

type Rules = readonly (readonly [string, ParamRule])[]

/**
 * The one wrapper from project to arguments, around every root field and every `Project` field. A field
 * without an `access` rule does not build.
 */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    const { access, view, omitNull } = config.pothosOptions
    if (guarded.has(config.parentType) && !access) {
      throw new Error(`${config.parentType}.${config.name} has no access rule`)
    }
    return { ...config, extensions: { ...config.extensions, access, view, omitNull } }
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const { access } = config.pothosOptions
    if (!access) return resolve
    const rules: Rules = Object.entries(config.args).flatMap(([name, arg]) => {
      const rule = arg.extensions?.param as ParamRule | undefined
      return rule ? [[name, rule] as const] : []
    })
    return async (parent, args, context, info) => {
      await admit(context as Context, access, subjectOf(access, parent, args))
      return resolve(parent, checked(rules, args), context, info)
    }
  }
}

function subjectOf(access: AccessRule, parent: unknown, args: object): unknown {
  if (access.project === 'parent') return parent
  if (access.workspace === 'parent') return (parent as { id: string }).id
  if (access.workspace === 'argument') return (args as { workspaceId: string }).workspaceId
  return 'projectId' in args ? args.projectId : undefined
}

function checked(rules: Rules, args: object): object {
  if (rules.length === 0) return args
  const given: Record<string, unknown> = { ...args }
  for (const [name, rule] of rules) given[name] = checkParam(name, given[name], rule)
  return given
}

SchemaBuilder.registerPlugin('access', AccessPlugin)

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>
    }
    interface FieldOptions {
      /** What the key must carry. Required on root fields and on fields of `Project`. */
      access?: AccessRule
      /** `rest`: only old REST clients see it. `graph`: only GraphQL does. Both when absent. */
      view?: 'rest' | 'graph'
      /** REST leaves the key out, rather than writing null; with `unless`, only while that argument is absent. */
      omitNull?: true | { readonly unless: string }
    }
  }
}
