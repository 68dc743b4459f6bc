import type { Plugin } from '@envelop/core'
import { type ExecutionArgs, type ExecutionResult, GraphQLError, print } from 'graphql'
import type { Principal } from '../core/access.ts'
import { Fault, invalid } from '../core/errors.ts'
import { fingerprintOf } from '../core/fingerprint.ts'
import { readIdempotencyKey } from '../core/write-headers.ts'
import type { Db } from '../prisma/client.ts'
import type { RequestState, WithRequestState } from './request-state.ts'
import { passGuard, type RootField, rootFieldsOf } from './root-fields.ts'
import type { KeyedWrite, RunIdempotent } from './run-idempotent.ts'

/** The context of a mutation. */
interface WriteContext extends WithRequestState {
  readonly principal: Principal
  readonly services: { readonly db: Db }
  /** The mutation ends with it, before it runs. */
  readonly refusal?: Fault
  /** Called when a mutation answers with a problem as data. */
  readonly onProblem?: () => void
}

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>

/** The context with its catalog in a transaction. */
function within(context: WriteContext, db: Db, onProblem: () => void): WriteContext {
  return { ...context, services: { ...context.services, db }, onProblem }
}

const takes = ({ field }: RootField, name: string) => field.args.some((arg) => arg.name === name)

/** The only root field: a header cannot say which of several fields it is for. */
function only(header: string, roots: readonly RootField[]): RootField {
  const [root, ...others] = roots
  if (root && others.length === 0) return root
  throw invalid(header, 'needs a mutation of one field')
}

/** The keys of a mutation, from the header and from arguments. */
function keysOf(roots: readonly RootField[], { idempotencyKeys }: RequestState): Set<string> {
  const texts = roots.map(({ args }) => args.idempotencyKey)
  const given = texts.flatMap((text) => (typeof text === 'string' ? [text] : []))
  const keys = [
    readIdempotencyKey(idempotencyKeys),
    ...given.map((text) => readIdempotencyKey([text], 'idempotencyKey')),
  ]
  return new Set(keys.flatMap((key) => key ?? []))
}

/** A result with errors or a problem: with a key, a mutation is done whole or not at all. */
class Incomplete extends Error {
  readonly result: ExecutionResult
  constructor(result: ExecutionResult) {
    super('The mutation has errors.')
    this.result = result
  }
}

function failure(error: unknown): ExecutionResult {
  if (error instanceof Incomplete) return error.result
  if (error instanceof GraphQLError) return { data: null, errors: [error] }
  const originalError = error instanceof Error ? error : new Error(String(error))
  return { errors: [new GraphQLError(originalError.message, { originalError })] }
}

/** What the schema says of a mutation. */
interface WriteKind {
  readonly hasSecret?: boolean
  readonly isOutside?: boolean
  /** It removes what its access is checked by, so that a repetition is not found. */
  readonly isRemoval?: boolean
}

/** The access of a keyed write. @returns the fault of a repetition whose project is gone by the first request */
async function passOrGone(root: RootField, context: WriteContext): Promise<Fault | undefined> {
  try {
    await passGuard(root, context)
    return undefined
  } catch (error) {
    const { isRemoval = false } = root.field.extensions as WriteKind
    if (isRemoval && error instanceof Fault && error.code === 'not_found') return error
    throw error
  }
}

function keyedWrite(
  { field }: RootField,
  idempotencyKey: string,
  { document, operationName, variableValues, contextValue }: ExecutionArgs,
): KeyedWrite {
  const { principal, requestState } = contextValue as WriteContext
  const { fingerprintOf: asked, headers } = requestState
  const body = [print(document), operationName ?? null, variableValues ?? null]
  const fingerprint = fingerprintOf(asked ?? [field.name, 'mutation', body])
  const { hasSecret = false, isOutside = false } = field.extensions as WriteKind
  const { keyId: apiKeyId } = principal
  return { apiKeyId, idempotencyKey, fingerprint, hasSecret, isOutside, headers }
}

/**
 * Runs a mutation with an `Idempotency-Key` once, and checks that `If-Match` is for one field. It stores the
 * answer of the field, so that both doors replay the same value. Register after plugins that replace
 * `execute`: it wraps them.
 * @see docs/adr/0010-idempotency-in-one-transaction.md
 */
export function useIdempotency(runIdempotent: RunIdempotent): Plugin<WithRequestState> {
  /** A fault of these headers is the answer of the fields, as each fault of theirs is. */
  async function run(execution: ExecutionArgs, execute: Execute): Promise<ExecutionResult> {
    try {
      return await runOnce(execution, execute)
    } catch (refusal) {
      if (!(refusal instanceof Fault)) return failure(refusal)
      const contextValue = { ...(execution.contextValue as WriteContext), refusal }
      return execute({ ...execution, contextValue })
    }
  }
  async function runOnce(execution: ExecutionArgs, execute: Execute): Promise<ExecutionResult> {
    const context = execution.contextValue as WriteContext
    const { requestState } = context
    const roots = rootFieldsOf(execution)
    if (requestState.ifMatch.length > 0 && roots.some((root) => takes(root, 'expectedRevision'))) {
      only('If-Match', roots)
    }
    const [idempotencyKey, other] = roots.length === 0 ? [] : keysOf(roots, requestState)
    if (idempotencyKey === undefined) return execute(execution)
    const root = only('Idempotency-Key', roots)
    if (other !== undefined) throw invalid('Idempotency-Key', 'differs from `idempotencyKey`')
    if (!root.field.extensions.isKeyed) {
      throw invalid('Idempotency-Key', `is not accepted by \`${root.field.name}\``)
    }
    // Before a replay too: a key without the grant gets no stored answer.
    const gone = await passOrGone(root, context)
    const answer = await runIdempotent(keyedWrite(root, idempotencyKey, execution), async (tx) => {
      if (gone) throw gone
      let isRefused = false
      const onProblem = () => {
        isRefused = true
      }
      const result = await execute({ ...execution, contextValue: within(context, tx, onProblem) })
      // An answer in part would look like a write that was done.
      if (result.errors) throw new Incomplete({ data: null, errors: result.errors })
      if (isRefused) throw new Incomplete(result)
      return JSON.stringify(result.data?.[root.key])
    })
    return { data: { [root.key]: JSON.parse(answer) } }
  }
  return {
    onExecute({ executeFn, setExecuteFn }) {
      const execute = executeFn as Execute
      setExecuteFn((execution: ExecutionArgs) => run(execution, execute))
    },
  }
}
