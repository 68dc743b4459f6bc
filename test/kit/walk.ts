import type { OpenApiDocument } from '../../rest/openapi.ts'
import type { Json } from '../../rest/openapi-schemas.ts'

/** One request of a walk, and how to name it. */
export interface Step {
  readonly operationId: string
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Of a write. */
  readonly body?: unknown
}

type Answer = Readonly<Record<string, Readonly<Record<string, unknown>>[]>>

/** Which list names a thing that a parameter asks for: the list's operation, the key of its rows, the key of the name. */
const named: Readonly<Record<string, readonly [operationId: string, rows: string, key: string]>> = {
  projectId: ['listProjects', 'projects', 'id'],
  topicId: ['listTopics', 'topics', 'id'],
  competitorId: ['listCompetitors', 'competitors', 'id'],
  promptId: ['listPrompts', 'prompts', 'id'],
  answerId: ['listAnswers', 'answers', 'id'],
  domain: ['listSourceDomains', 'sources', 'domain'],
  articleId: ['listArticles', 'articles', 'id'],
  productId: ['getShopping', 'products', 'id'],
  pageId: ['listPages', 'pages', 'id'],
  'getSourceContent url': ['listSourceUrls', 'urls', 'url'],
  'getPageMetrics url': ['listPages', 'pages', 'url'],
}

/** Rows that have what a step needs: a page whose content is kept, for one. */
const fitting: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => boolean>> = {
  'getSourceContent url': (row) => row.hasContent === true,
}

/** What is asked for beyond what must be. */
const queries: Readonly<Record<string, string>> = {
  getVisibility: 'compare=previous_period&include=industryRanking',
  getVisibilityByTopic: 'compare=previous_period',
  getShareOfVoice: 'compare=previous_period',
  getSentiment: 'compare=previous_period',
  getTrafficOverview: 'groupBy=botName',
}

/** The bodies of writes, by the part of their path behind the project. */
const bodies: Readonly<Record<string, unknown>> = {
  '/prompts': { prompts: [{ text: 'Which headphones last a whole flight?' }] },
  '/prompts/{promptId}': { intentCategory: 'commercial', keywordSearchVolume: 1300 },
  '/prompts/{promptId}/tracking': { action: 'archive' },
  '/prompts/{promptId}/restore-wording': { revision: 1 },
}

function parametersOf(document: OpenApiDocument, { parameters = [] }: Json): Json[] {
  return (parameters as Json[]).map((parameter) => {
    const name =
      String(parameter.$ref ?? '')
        .split('/')
        .pop() ?? ''
    return document.components.parameters?.[name] ?? parameter
  })
}

/**
 * One good request for every operation of a document, reads first. What they name is taken from the answers of
 * lists, which `ask` gets.
 * @param rows how many rows lists are asked for
 */
export async function walk(
  document: OpenApiDocument,
  ask: (path: string) => Promise<unknown>,
  rows: number,
): Promise<Step[]> {
  const values = new Map<string, string>()
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

  /** The path and query of an operation, its parameters filled in. */
  async function filled(path: string, operation: Json, limit: number): Promise<string> {
    const operationId = String(operation.operationId)
    const parameters = parametersOf(document, operation)
    const query = new URLSearchParams(queries[operationId])
    let result = path
    for (const { name, in: place, required } of parameters) {
      if (name === 'limit') query.set('limit', String(limit))
      if (!required) continue
      const value = await nameOf(operationId, String(name))
      if (place === 'query') query.set(String(name), value)
      result = result.replace(`{${name}}`, encodeURIComponent(value))
    }
    return query.size > 0 ? `${result}?${query}` : result
  }

  async function nameOf(operationId: string, name: string): Promise<string> {
    const own = `${operationId} ${name}`
    const key = own in named ? own : name
    const known = values.get(key)
    if (known !== undefined) return known
    const [list = '', part = '', id = ''] = named[key] ?? []
    const place = all.find(({ operation }) => operation.operationId === list)
    if (!place) throw new Error(`test/kit/walk.ts does not know where ${own} comes from`)
    const answer = (await ask(await filled(place.path, place.operation, 50))) as Answer
    const row = answer[part]?.find(fitting[key] ?? (() => true))
    if (!row) throw new Error(`${list} has no row that names ${own}`)
    values.set(key, String(row[id]))
    return String(row[id])
  }

  const steps: Step[] = []
  for (const { path, method, operation } of all) {
    const step = {
      operationId: String(operation.operationId),
      method: method.toUpperCase(),
      path: await filled(path, operation, rows),
    }
    if (method === 'get') steps.push(step)
    else steps.push({ ...step, body: bodies[path.replace(/^.*\{projectId\}/, '')] ?? {} })
  }
  return steps.sort((a, b) => Number('body' in a) - Number('body' in b))
}
