import { onFirstCall } from '../../core/load/first-call.ts'
import { cacheMetrics } from '../../observability/api.ts'
import { cacheAnswers } from '../../plugins/cache/answers.ts'
import { cacheFirst, type GraphHandler } from '../../plugins/cache/door.ts'
import { readDocumentList } from '../../plugins/document-list.ts'
import { graphqlPlugins, restPlugins } from '../../plugins/index.ts'
import { admit } from '../../plugins/rate-limit.ts'
import type { RequestState } from '../../plugins/request-state.ts'
import { makeYoga } from '../../plugins/yoga.ts'
import { largestRowBytes } from '../../rest/handler/budget.ts'
import { restHandler } from '../../rest/handler/handler.ts'
import type { RestState } from '../../rest/handler/reply.ts'
import { cacheReplies } from '../../rest/handler/reply-cache.ts'
import {
  documentFaults,
  fieldCharge,
  listSizes,
  publicSchema,
  restSchema,
  scriptSchema,
  variableError,
} from '../../schema/index.ts'
import { answerCacheRules } from '../../schema/kit/cache/documents.ts'
import type { Services } from '../../schema/kit/context.ts'
import type { Running } from '../services.ts'

type Incoming = {
  readonly requestState: RequestState
  readonly services: Services
}

/** GraphQL at `/graphql`, and REST under `/api` over the same schema. */
export async function openGraph(running: Running) {
  const { door, limits, lookedUp, metrics, observed, parts, services, settings } = running
  const graphql = {
    ...parts,
    documents: await readDocumentList(settings, publicSchema),
    listedOnly: settings.PERSISTED_DOCUMENTS?.isOnly === true,
    schema: publicSchema,
    documentFaults,
    variableError,
    maxBytes: services.maxResponseBytes + largestRowBytes,
    fieldCharge,
    listSizes,
    maxQueryCost: limits.maxQueryCost,
    charged: observed.metrics.charged,
  }
  // Half of the memory is for each door.
  const maxBytes = limits.replyCacheBytes / 2
  const answers = maxBytes
    ? cacheAnswers({
        maxBytes,
        ...answerCacheRules(services),
        onLookup: (isKnown) => lookedUp('answers', isKnown),
      })
    : undefined
  const replies = maxBytes
    ? cacheReplies({ maxBytes, onLookup: (isKnown) => lookedUp('replies', isKnown) })
    : undefined
  if (answers) running.onForget(answers.forget)
  if (replies) running.onForget(replies.forget)
  const { snapshots } = running
  cacheMetrics(metrics, { frozen_rows: services.warehouse.frozen, snapshots, replies, answers })

  const yoga = makeYoga<Incoming>(publicSchema, graphqlPlugins(graphql, answers))
  const askYoga: GraphHandler = (request, response, requestState) =>
    yoga(request, response, { requestState, services })
  const overRest = {
    ...door,
    plugins: restPlugins(parts),
    // Each request of REST comes with the state that its route has made.
    admit: (state: RestState) => admit(parts, state as RequestState),
  }
  const rest = restHandler({ ...overRest, schema: restSchema, replies })
  return {
    graphql: answers ? cacheFirst({ ...graphql, find: answers.find }, askYoga) : askYoga,
    /** The same for a caller of this process. */
    fetch: (request: Request, requestState: RequestState) =>
      yoga.fetch(request, { requestState, services }),
    rest: rest.handle,
    /** `/api/graph`. Its router would take a third of the start. */
    restOfGraph: onFirstCall(async () => {
      const { graphHandler } = await import('../../rest/graph/handler.ts')
      return graphHandler({ ...overRest, schema: scriptSchema })
    }),
  }
}

export type Graph = Awaited<ReturnType<typeof openGraph>>
