import type { OpenApiDocument } from '../../rest/openapi/openapi.ts'
import type { TestApi } from './api.ts'
import type { TestDemo } from './demo.ts'
import { type ApiDocument, callsOf, knownOf, type OperationCall } from './rest/operation-calls.ts'

/** One good request of a walk over all operations. */
export interface Step {
  readonly operationId: string
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Absent where the operation takes none. */
  readonly body?: unknown
}

/** What is asked for beyond what must be. */
const queries: Readonly<Record<string, string>> = {
  getVisibility: 'compare=previous_period&include=industryRanking',
  getVisibilityByTopic: 'compare=previous_period',
  getShareOfVoice: 'compare=previous_period',
  getSentiment: 'compare=previous_period',
  getTrafficOverview: 'groupBy=botName',
}

/** What is written, where the least that must be would say little. */
const bodies: Readonly<Record<string, unknown>> = {
  addPrompts: { prompts: [{ text: 'Which headphones last a whole flight?' }] },
  createReport: { reportType: 'combined', title: 'The last 30 days', days: 30 },
  updatePrompt: { intentCategory: 'commercial', keywordSearchVolume: 1300 },
  restorePromptWording: { revision: 1 },
}

function stepOf({ operationId, method, path, params, body }: OperationCall, rows: number): Step {
  const query = new URLSearchParams(queries[operationId])
  for (const [name, value] of Object.entries(params.query ?? {})) {
    // Of what may be left out, how many rows there are is enough.
    if (typeof value !== 'number') query.set(name, String(value))
    if (name === 'limit') query.set(name, String(rows))
  }
  const inPath = params.path ?? {}
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent(`${inPath[name]}`),
  )
  const said = bodies[operationId.replace(/V1$/, '')] ?? body
  return {
    operationId,
    method,
    path: query.size > 0 ? `${filled}?${query}` : filled,
    ...(body === undefined ? {} : { body: said }),
  }
}

/**
 * A good request for every operation of a document to the demonstration, writes last.
 * @param rows how many rows lists are asked for
 */
export async function walk(
  document: OpenApiDocument,
  api: TestApi,
  { projectId, key }: TestDemo,
  rows: number,
): Promise<Step[]> {
  const known = await knownOf(
    { demoProjectId: projectId, key, get: (path) => api.get(path, key) },
    document as unknown as ApiDocument,
  )
  return callsOf(document as unknown as ApiDocument, known)
    .map((call) => stepOf(call, rows))
    .sort((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))
}
