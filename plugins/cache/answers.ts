import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Plugin } from 'graphql-yoga'
import type { Principal } from '../../core/access.ts'
import { byteCache, cacheDay } from '../../core/load/byte-cache.ts'
import { isJsonType, readBytes } from '../bodies.ts'
import { explainHeader } from '../cost/cost.ts'
import type { RequestState, WithRequestState } from '../request-state.ts'
import { type AcceptsType, projectsOfDocuments } from './document.ts'

/** What one request reads of the service. */
interface Reading<Services> {
  readonly services: Services
  /** Whether all that was read stays as it is while the versions of the data stay. */
  isSettled(): boolean
  /** Does again what the reading did for later pages. */
  replay(): void
}

export interface AnswerCacheParts<Services> {
  readonly maxBytes: number
  /** Watches the reading of one request. */
  readonly watch: (services: Services) => Reading<Services>
  /** The versions of all data of some projects as a text; undefined where the key may not read all of them. */
  readonly versionsOf: (principal: Principal, ids: readonly string[]) => Promise<string | undefined>
  /** Whether these versions cover all values of a type. */
  readonly isVersioned: AcceptsType
  /** Hears of each look-up. */
  readonly onLookup: (isKnown: boolean) => void
}

/** A finished answer. */
export interface CachedAnswer {
  readonly body: Buffer
  readonly contentType: string
  /** The name of the operation in metrics. */
  readonly operation: string | undefined
  /** The value of `X-Query-Cost`. */
  readonly cost: string | undefined
  /** What the answer rests on. */
  readonly projectIds: readonly string[]
  readonly versions: string
  replay(): void
}

/** A question of a request, and what its answer rests on once that is known. */
interface Asked {
  readonly name: string
  basis?: Pick<CachedAnswer, 'projectIds' | 'versions' | 'replay'>
}

interface Context<Services> extends WithRequestState {
  readonly principal: Principal
  readonly services: Services
}

/** Longer questions are asked each time. */
const longestQuestion = 64 * 1024

const costHeader = 'X-Query-Cost'

/** Streams are no finished answers. */
const isStream = (accept = '') => /event-stream|multipart/i.test(accept)

/** The text of a question by GET or as JSON; undefined for one that is sent otherwise, or is long. */
async function questionOf(
  { method, url = '', headers }: IncomingMessage,
  body: () => Promise<Buffer>,
): Promise<string | undefined> {
  // What is left of the budget differs each time.
  if (isStream(headers.accept) || headers[explainHeader] !== undefined) return undefined
  if (method === 'GET') return url.length <= longestQuestion ? url : undefined
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  const isPlain = isJsonType(headers['content-type']) && headers['content-encoding'] === undefined
  if (method !== 'POST' || !isPlain || length > longestQuestion) return undefined
  // The address of a POST may name a document too.
  return `${url} ${hash('sha256', await body(), 'base64')}`
}

/** Who may be answered the same: one key, with one set of grants. */
const readerOf = ({ keyId, scopes, capabilities }: Principal) =>
  `${keyId} ${scopes.join()} ${capabilities.join()}`

/**
 * Keeps the bytes of answers of GraphQL while the data of their projects stay. An answer with an error is not kept, nor one
 * with rows that may change without a version.
 * @see docs/adr/0025-access-and-replies-are-cache.md
 */
export function cacheAnswers<Services>(parts: AnswerCacheParts<Services>) {
  const { maxBytes, watch, versionsOf, onLookup } = parts
  const projectsOf = projectsOfDocuments(parts.isVersioned)
  const cache = byteCache<CachedAnswer>(maxBytes, ({ body }) => body.length)
  const questions = new WeakMap<RequestState, Asked>()

  /** The answer to a request, if memory has that of now. The request is counted, and its key is checked, before. */
  async function find(request: IncomingMessage, state: RequestState, principal: Principal) {
    const body = () => {
      state.body ??= readBytes(request, longestQuestion)
      return state.body
    }
    const question = await questionOf(request, body)
    if (question === undefined) return undefined
    const name = `${cacheDay()} ${readerOf(principal)} ${request.headers.accept ?? ''} ${question}`
    questions.set(state, { name })
    const found = cache.get(name)
    const isNow =
      found !== undefined && found.versions === (await versionsOf(principal, found.projectIds))
    onLookup(isNow)
    if (!isNow) return undefined
    found.replay()
    return found
  }

  const plugin: Plugin<Context<Services>, WithRequestState> = {
    async onExecute({ args, extendContext }) {
      const { requestState, principal } = args.contextValue
      const asked = questions.get(requestState)
      const projectIds = asked && projectsOf(args)
      if (!projectIds) return
      // From before the reading: a change meanwhile makes the answer newer than its versions, and never older.
      const versions = await versionsOf(principal, projectIds)
      if (versions === undefined) return
      const reading = watch(args.contextValue.services)
      extendContext({ services: reading.services })
      return {
        onExecuteDone({ result }) {
          if (Symbol.asyncIterator in result || result.errors || !reading.isSettled()) return
          asked.basis = { projectIds, versions, replay: reading.replay }
        },
      }
    },
    async onResponse({ response, setResponse, serverContext: { requestState }, fetchAPI }) {
      const { name, basis } = questions.get(requestState) ?? {}
      if (name === undefined || basis === undefined || response.status !== 200) return
      const { status, headers } = response
      const body = Buffer.from(await response.arrayBuffer())
      const contentType = headers.get('content-type') ?? ''
      const { operation, headers: set } = requestState
      cache.set(name, { ...basis, body, contentType, operation, cost: set[costHeader] })
      setResponse(new fetchAPI.Response(body, { status, headers }))
    },
  }

  return {
    find,
    plugin,
    forget: () => cache.clear(),
    get size() {
      return cache.size
    },
    get calculatedSize() {
      return cache.calculatedSize
    },
  }
}
