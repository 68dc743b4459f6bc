import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import type { z } from 'zod'
import { check } from '../../core/check.ts'
import { type ErrorCode, invalid } from '../../core/errors.ts'
import { checkParam, type ParamRule } from '../../core/params.ts'
import { withIfMatch } from '../../core/write-headers.ts'
import type { AccessRule } from './access-rule.ts'
import { sayingClamps } from './clamps.ts'
import type { Context } from './context.ts'
import { sayingMixedWindows } from './mixed-windows.ts'
import { answerWithProblems, Problem, problemOf } from './problem.ts'

const guarded = new Set(['Query', 'Mutation', 'Subscription', 'Project'])

type Rules = readonly (readonly [string, ParamRule])[]

/** Authorizes a request for a field and returns the arguments for the resolver. */
type Guard = (parent: unknown, args: object, context: Context) => Promise<object>

/** The resolver of a field, which says how the client was answered otherwise than it may think. */
const noticing: typeof sayingClamps = (resolve, args) =>
  sayingMixedWindows(sayingClamps(resolve, args), args)

/**
 * The one wrapper from project to arguments, around every root field and every `Project` field. A field
 * without an `access` rule does not build.
 */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    const { access, view, restName, graphName, restDescription, omitNull, body, json, problems } =
      config.pothosOptions
    const { hasSecret, isOutside, isRemoval } = config.pothosOptions
    if (guarded.has(config.parentType) && !access) {
      throw new Error(`${config.parentType}.${config.name} has no access rule`)
    }
    const isConditional = 'expectedRevision' in config.args
    if (isConditional && !(body && 'expectedRevision' in body.shape)) {
      throw new Error(`${config.parentType}.${config.name} does not check expectedRevision`)
    }
    const guard = access && guardOf(access, config.args, body)
    const isKeyed = 'idempotencyKey' in config.args
    const shown = { restName, graphName, restDescription, omitNull, json }
    const keyed = { isKeyed, hasSecret, isOutside, isRemoval }
    const ours = { access, view, ...shown, body, problems, guard, ...keyed }
    const extended = { ...config, extensions: { ...config.extensions, ...ours } }
    return config.parentType === 'Mutation' ? withProblems(extended) : extended
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const guard = config.extensions?.guard as Guard | undefined
    if (!guard) return noticing(resolve, config.args)
    const guarded: typeof resolve = async (parent, args, context, info) =>
      resolve(parent, await guard(parent, args, context as Context), context, info)
    const said = noticing(guarded, config.args)
    return config.parentType === 'Mutation' ? refusing(said) : said
  }

  /** A stream is authorized when it opens; `wrapResolve` does so again at each event. */
  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscribe && this.wrapResolve(subscribe, config)
  }
}

/**
 * A mutation whose answer can be a problem. It is nullable: an error of one mutation leaves the answers of its
 * neighbours, which have changed something.
 */
function withProblems<Types extends SchemaTypes>(config: PothosOutputFieldConfig<Types>) {
  const errors = answerWithProblems(config)
  const pothosOptions = { ...config.pothosOptions, errors }
  return { ...config, pothosOptions, type: { ...config.type, nullable: true } } as typeof config
}

/** Throws the problem that stands for a fault, and says so to who runs the mutation. */
function refusing(
  resolve: GraphQLFieldResolver<unknown, object, object>,
): GraphQLFieldResolver<unknown, object, object> {
  return async (parent, args, context, info) => {
    const { refusal, onProblem } = context as Context
    try {
      if (refusal) throw refusal
      return await resolve(parent, args, context, info)
    } catch (error) {
      const problem = problemOf(error, args)
      if (problem instanceof Problem) onProblem?.(problem.fault)
      throw problem
    }
  }
}

type ArgConfigs = Readonly<Record<string, { readonly extensions?: object | null | undefined }>>

function guardOf(access: AccessRule, args: ArgConfigs, body: z.ZodObject | undefined): Guard {
  const rules: Rules = Object.entries(args).flatMap(([name, arg]) => {
    const { param: rule } = (arg.extensions ?? {}) as { param?: ParamRule }
    return rule ? [[name, rule] as const] : []
  })
  const isConditional = 'expectedRevision' in args
  const guard: Guard = async (parent, given, context) => {
    const { passed, services } = context
    // The early check knows projects alone.
    const isPassed = passed?.guard === guard && !access.workspace
    if (!isPassed || passed.db !== services.db) {
      await context.authorize(context, access, subjectOf(access, parent, given))
    }
    if (isPassed && !body && !isConditional) return withDefaults(rules, given)
    const expecting = isConditional ? withIfMatch(given, context.ifMatch ?? []) : given
    const known = checked(rules, expecting)
    return body ? { ...known, ...check(body, known) } : known
  }
  return guard
}

/** A `nodeId` where the `id` of a project belongs is a slip of the client, not a project that does not exist. */
function refuseNodeId(id: unknown): void {
  if (!Buffer.from(String(id), 'base64url').toString().startsWith('Project:')) return
  throw invalid('id', 'must be the `id` of a project: `node(id:)` takes a `nodeId`', id)
}

function subjectOf(access: AccessRule, parent: unknown, args: object): unknown {
  if (access.project === 'parent') return parent
  if (access.project === 'owner') return (parent as { projectId: string }).projectId
  if (access.workspace === 'parent') return (parent as { id: string }).id
  if (access.project !== 'argument' && access.workspace !== 'argument') return undefined
  const { projectId, workspaceId, id } = args as Readonly<Record<string, unknown>>
  if (access.project && projectId === undefined) refuseNodeId(id)
  // `project` and `workspace` take the id as `id`.
  return (access.workspace ? workspaceId : projectId) ?? id
}

/** The arguments of REST are checked; the defaults of absent ones are the schema's. */
function withDefaults(rules: Rules, args: object): object {
  const given: Record<string, unknown> = { ...args }
  for (const [name, rule] of rules) {
    if (rule.default !== undefined) given[name] ??= rule.default
  }
  return given
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
      /** The key in REST, where the field of this name is of another type in GraphQL; beside `view: 'rest'`. */
      restName?: string
      /** The name in GraphQL, where REST and `/api/graph` have an older word for the same value. */
      graphName?: string
      /** The description in REST, where that of GraphQL is not true of it. */
      restDescription?: string
      /**
       * What the arguments must be that REST takes in a body, beside those of the path: it reads them by this.
       * It leaves unknown fields out, and takes what it gives.
       */
      body?: z.ZodObject | undefined
      /** REST leaves the key out, rather than writing null; with `unless`, only while that argument is absent. */
      omitNull?: true | { readonly unless: string }
      /** The JSON Schema of the value in REST, where its type alone would say too much or too little. */
      json?: Readonly<Record<string, unknown>>
      /** The answer shows a secret: it is stored sealed for a repetition. */
      hasSecret?: true
      /** The mutation writes beyond the catalog, and may be repeated: its answer is stored after it. */
      isOutside?: true
      /** The mutation removes the project by which its access is checked. */
      isRemoval?: true
      /** Codes that the work itself can refuse with, beside those that its access and arguments can. */
      problems?: readonly ErrorCode[] | undefined
    }
  }
}
