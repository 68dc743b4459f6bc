import type { Plugin } from '@envelop/core'
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
} from 'graphql'
import type { Logger } from 'pino'
import type { Principal } from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import { type LiveItem, recheck } from '../core/live/events.ts'
import { authenticate, type KeyParts } from './authentication.ts'
import { graphqlError } from './errors.ts'
import { runNoticed } from './notices.ts'
import type { RequestState, WithRequestState } from './request-state.ts'
import { passGuard, rootFieldsOf } from './root-fields.ts'
import { runBounded, type WorkParts } from './work.ts'

export interface LiveParts extends KeyParts, WorkParts {
  readonly baseUrl: string
  readonly log: Logger
  readonly streamsPerKey: number
  /** Hears the code of each fault. */
  readonly refused?: (code: string) => void
  /** Hears of each stream that opens and ends. */
  readonly streams?: (change: 1 | -1) => void
}

/** Seconds of `Retry-After`. Nobody knows when a stream ends. */
const retrySeconds = 5

/**
 * Counts the open streams of each key in this process. `take` returns a function that gives the place back, or undefined when
 * no place is free.
 */
function streamPlaces(most: number, onChange: (change: 1 | -1) => void) {
  const open = new Map<string, number>()
  return {
    take(keyId: string): (() => void) | undefined {
      const before = open.get(keyId) ?? 0
      if (before >= most) return undefined
      open.set(keyId, before + 1)
      onChange(1)
      return () => {
        onChange(-1)
        const left = (open.get(keyId) ?? 1) - 1
        if (left > 0) open.set(keyId, left)
        else open.delete(keyId)
      }
    },
  }
}

/** The stream of a field of `Subscription`. */
interface Source extends AsyncIterableIterator<LiveItem, undefined> {
  /** Asks for a check of the key. */
  recheck(): void
  return(): Promise<IteratorResult<LiveItem, undefined>>
}

type Results = AsyncIterableIterator<ExecutionResult, undefined>

const over = { value: undefined, done: true } as const

const eventStream = 'text/event-stream'

/** The longest time of a timer. */
const mostMs = 2 ** 31 - 1

/** Asks for a check of the key when it expires. Returns what stops the clock. */
function checkAtExpiry(source: Source, { expiresAt }: RequestState): () => void {
  if (!expiresAt) return () => undefined
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    const leftMs = expiresAt.getTime() - Date.now()
    if (leftMs < 0) return source.recheck()
    timer = setTimeout(wait, Math.min(leftMs + 1, mostMs))
  }
  wait()
  return () => clearTimeout(timer)
}

/** The result for an item: null for none, an error without data that ends the stream, or the answer to an event. */
type Answer = (item: LiveItem) => Promise<ExecutionResult | null>

/** Written as an object: a generator that waits for an event cannot be ended. */
function resultsOf(source: Source, answer: Answer, onEnd: () => void): Results {
  let isOver = false
  const end = async () => {
    if (!isOver) onEnd()
    isOver = true
    await source.return()
    return over
  }
  return {
    async next() {
      while (!isOver) {
        const { value: item, done } = await source.next()
        if (done) return end()
        const value = await answer(item)
        if (value === null) continue
        // Without data, the key may not read any more.
        if (!('data' in value)) await end()
        return { value, done: false }
      }
      return over
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

interface Opened extends WithRequestState {
  readonly request: Request
  readonly principal: Principal
}

interface Asked
  extends Pick<ExecutionArgs, 'schema' | 'document' | 'variableValues' | 'operationName'> {
  /** The context without what a request remembers. */
  readonly context: Opened
}

/**
 * Answers each event as a request of its own: the key is checked, the access is checked, and nothing is remembered from
 * the event before. So no event reaches a key that was revoked.
 */
function answerTo(parts: LiveParts, { context: opened, ...asked }: Asked): Answer {
  const { baseUrl, log, refused } = parts
  const { requestState } = opened
  const masked = (error: unknown): GraphQLError =>
    graphqlError(error, { baseUrl, log, refused, requestId: requestState.requestId })
  return async (item) => {
    const { authentication: _, rateCount: __, ...state } = requestState
    const contextValue = { ...opened, requestState: state }
    try {
      Object.assign(contextValue, { principal: await authenticate(parts, state) })
      const [root] = rootFieldsOf({ ...asked, contextValue })
      if (root) await passGuard(root, contextValue)
    } catch (error) {
      return { errors: [masked(error)] }
    }
    if (item === recheck) return null
    const result = await runNoticed({ ...asked, rootValue: item, contextValue }, (execution) =>
      runBounded(parts, execution, execute),
    )
    return { data: null, ...result, ...(result.errors && { errors: result.errors.map(masked) }) }
  }
}

async function openSource(args: ExecutionArgs): Promise<Source | ExecutionResult> {
  // A copy, so that what the opening remembers does not live as long as the stream.
  const opened = await createSourceEventStream({
    ...args,
    contextValue: { ...(args.contextValue as object) },
  })
  return opened as Source | ExecutionResult
}

const refusedBy = (refusal: Fault): ExecutionResult => ({
  errors: [new GraphQLError(refusal.message, { originalError: refusal })],
})

async function openResults(
  parts: LiveParts,
  args: ExecutionArgs,
  giveBack: () => void,
): Promise<Results | ExecutionResult> {
  const source = await openSource(args)
  if (!(Symbol.asyncIterator in source)) return source
  const { schema, document, variableValues, operationName, contextValue } = args
  const context = contextValue as Opened
  if (!context.request.headers.get('accept')?.includes(eventStream)) {
    await source.return()
    return refusedBy(new Fault('invalid_argument', `Send \`Accept: ${eventStream}\` to subscribe.`))
  }
  const asked = { schema, document, variableValues, operationName, context }
  const stopClock = checkAtExpiry(source, context.requestState)
  return resultsOf(source, answerTo(parts, asked), () => {
    stopClock()
    giveBack()
  })
}

/** Subscriptions of `/graphql`. */
export function useLive(parts: LiveParts): Plugin {
  const places = streamPlaces(parts.streamsPerKey, (change) => parts.streams?.(change))
  const subscribe = async (args: ExecutionArgs) => {
    const giveBack = places.take((args.contextValue as Opened).principal.keyId)
    if (!giveBack) {
      const message = `The key has ${parts.streamsPerKey} live streams open.`
      const headers = { 'Retry-After': String(retrySeconds) }
      return refusedBy(new Fault('too_many_streams', message, { headers }))
    }
    const opened = await openResults(parts, args, giveBack).catch((error: unknown) => {
      giveBack()
      throw error
    })
    if (!(Symbol.asyncIterator in opened)) giveBack()
    return opened
  }
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(subscribe)
    },
  }
}
