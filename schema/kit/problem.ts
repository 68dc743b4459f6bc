import { errorTypeMap } from '@pothos/plugin-errors'
import {
  type GraphQLFieldConfig,
  type GraphQLOutputType,
  getNullableType,
  isUnionType,
} from 'graphql'
import { type ErrorCode, Fault } from '../../core/errors.ts'
import { type ProblemType, problemTypeOf } from '../../core/problem.ts'

/** A fault that a mutation answers with as data. */
export abstract class Problem extends Error {
  readonly fault: Fault
  /** The arguments of the mutation. */
  readonly given: Readonly<Record<string, unknown>>

  constructor(fault: Fault, given: Readonly<Record<string, unknown>>) {
    super(fault.message, { cause: fault })
    this.fault = fault
    this.given = given
  }
}

export class InvalidInput extends Problem {}
export class Forbidden extends Problem {}
export class NotFound extends Problem {}
export class Conflict extends Problem {}
export class QuotaExceeded extends Problem {}
export class StaleRevision extends Problem {}

const classes = {
  InvalidInput,
  Forbidden,
  NotFound,
  Conflict,
  QuotaExceeded,
  StaleRevision,
} as const satisfies Record<ProblemType, unknown>

interface Field {
  readonly name: string
  readonly args: object
  readonly pothosOptions: { readonly problems?: readonly ErrorCode[] | undefined }
}

/** The codes that a mutation can refuse with: for its arguments, its keys, and what its work declares. */
function codesOf({ args, pothosOptions: { problems = [] } }: Field): ErrorCode[] {
  return [
    ...(['invalid_argument', 'missing_scope', 'not_found'] as const),
    ...('idempotencyKey' in args ? (['idempotency_conflict'] as const) : []),
    ...('expectedRevision' in args ? (['stale_revision'] as const) : []),
    ...problems,
  ]
}

/** What the plugin for errors makes of a mutation: a union of its answer and of the problems that it can meet. */
export function answerWithProblems(field: Field) {
  const codes = codesOf(field)
  const types = (Object.keys(classes) as ProblemType[]).filter((type) =>
    codes.some((code) => problemTypeOf(code) === type),
  )
  const named = field.name.charAt(0).toUpperCase() + field.name.slice(1)
  return {
    types: types.map((type) => classes[type]),
    union: {
      name: `${named}Result`,
      description: `Result of \`${field.name}\`, or a problem.`,
    },
  }
}

/** The problem that stands for a fault of the catalog; the error itself where it belongs into `errors`. */
export function problemOf(error: unknown, given: object): unknown {
  if (!(error instanceof Fault)) return error
  const type = problemTypeOf(error.code)
  return type ? new classes[type](error, given as Problem['given']) : error
}

/** The answer of a mutation without the problems: the one other member of its union. */
function resultOf(type: GraphQLOutputType): GraphQLOutputType {
  const union = getNullableType(type)
  if (!isUnionType(union)) return type
  const isProblem = (name: string) => name in classes
  const result = union.getTypes().find(({ name }) => !isProblem(name))
  if (!result) throw new Error(`${union.name} has no result beside its problems`)
  return result
}

/**
 * A mutation as REST and `/api/graph` run it: its type is its result, and it throws a problem as the fault that it
 * stands for.
 */
export function throwingProblems<Field extends GraphQLFieldConfig<unknown, unknown>>(
  field: Field,
): Field {
  const { resolve } = field
  const type = resultOf(field.type)
  if (type === field.type || !resolve) return field
  return {
    ...field,
    type,
    async resolve(...asked: Parameters<typeof resolve>) {
      const value = await resolve(...asked)
      if (typeof value === 'object' && value && errorTypeMap.has(value))
        throw (value as Problem).fault
      return value
    },
  }
}
