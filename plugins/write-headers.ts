import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  locatedError,
  print,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Principal } from '../core/access.ts'
import { invalid } from '../core/errors.ts'
import { fingerprintOf } from '../core/json.ts'
import { readIdempotencyKey } from '../core/write-headers.ts'
import type { Db } from '../prisma/client.ts'
import type { KeyedWrite, Once } from './idempotency.ts'
import type { Visit, VisitContext } from './request-state.ts'
import { type RootField, rootFieldsOf } from './root-fields.ts'

/** What a mutation runs on. */
interface WriteContext extends VisitContext {
  readonly principal: Principal
  readonly services: { readonly db: Db }
}

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>

/** The context with its catalog in a transaction. */
export function within<Context extends { readonly services: { readonly db: Db } }>(
  context: Context,
  db: Db,
): Context {
  return { ...context, services: { ...context.services, db } }
}

const takes = ({ field }: RootField, name: string) => field.args.some((arg) => arg.name === name)

/** The one field that a header is about. */
function only(header: string, roots: readonly RootField[]): RootField {
  const [root, ...others] = roots
  if (root && others.length === 0) return root
  throw invalid(header, 'needs a mutation of one field')
}

/** The keys that a mutation carries, in the header or in arguments. */
function keysOf(roots: readonly RootField[], { idempotencyKeys }: Visit): Set<string> {
  const texts = roots.map(({ args }) => args.idempotencyKey)
  const given = texts.flatMap((text) => (typeof text === 'string' ? [text] : []))
  const keys = [
    readIdempotencyKey(idempotencyKeys),
    ...given.map((text) => readIdempotencyKey([text], 'idempotencyKey')),
  ]
  return new Set(keys.flatMap((key) => key ?? []))
}

/** What failed in part: with a key, a mutation is done whole or not at all. */
class Incomplete extends Error {
  readonly errors: readonly GraphQLError[]
  constructor(errors: readonly GraphQLError[]) {
    super('The mutation has errors.')
    this.errors = errors
  }
}

function failure(error: unknown): ExecutionResult {
  if (error instanceof Incomplete) return { data: null, errors: error.errors }
  if (error instanceof GraphQLError) return { data: null, errors: [error] }
  const originalError = error instanceof Error ? error : new Error(String(error))
  return { errors: [new GraphQLError(originalError.message, { originalError })] }
}

/** The checks that the field will make itself: a key that lost its grant gets no answer of old. */
async function passGuard({ key, nodes, field, args }: RootField, context: object): Promise<void> {
  type Guard = (parent: unknown, args: object, context: object) => Promise<object>
  try {
    await (field.extensions.guard as Guard)(undefined, args, context)
  } catch (error) {
    throw locatedError(error, nodes, [key])
  }
}

function keyedWrite(
  { field }: RootField,
  idempotencyKey: string,
  { document, operationName, variableValues, contextValue }: ExecutionArgs,
): KeyedWrite {
  const { principal, visit } = contextValue as WriteContext
  if (!field.args.some(({ name }) => name === 'idempotencyKey')) {
    throw invalid('Idempotency-Key', `${field.name} takes none`)
  }
  const body = [print(document), operationName ?? null, variableValues ?? null]
  return {
    apiKeyId: principal.keyId,
    idempotencyKey,
    fingerprint: fingerprintOf([field.name, '/graphql', body]),
    headers: visit.headers,
  }
}

/**
 * What the headers `Idempotency-Key` and `If-Match` ask of a GraphQL mutation. It stands after whatever else
 * replaces the execution, and so runs around it.
 */
export function useWriteHeaders(once: Once): Plugin<object, VisitContext> {
  async function run(execution: ExecutionArgs, execute: Execute): Promise<ExecutionResult> {
    const context = execution.contextValue as WriteContext
    const roots = rootFieldsOf(execution)
    if (context.visit.ifMatch.length > 0 && roots.some((root) => takes(root, 'expectedRevision'))) {
      only('If-Match', roots)
    }
    const [key, other] = roots.length === 0 ? [] : keysOf(roots, context.visit)
    if (key === undefined) return execute(execution)
    const root = only('Idempotency-Key', roots)
    if (other !== undefined) throw invalid('Idempotency-Key', 'differs from idempotencyKey')
    const write = keyedWrite(root, key, execution)
    await passGuard(root, context)
    const answer = await once(write, async (tx) => {
      const result = await execute({ ...execution, contextValue: within(context, tx) })
      if (result.errors) throw new Incomplete(result.errors)
      return { status: 200, body: JSON.stringify(result) }
    })
    return JSON.parse(answer.body)
  }
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      // What Yoga read of the request. REST has none, and looks after its own writes.
      if (!args.contextValue.params) return
      setExecuteFn((execution: ExecutionArgs) => run(execution, executeFn).catch(failure))
    },
  }
}
