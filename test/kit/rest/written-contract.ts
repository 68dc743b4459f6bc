import { existsSync, readFileSync } from 'node:fs'

/**
 * Reads the written contract, which lies beside the checkout where the service is developed. The service itself
 * needs only `rest/contract/operations.json`.
 */

const folder = new URL('../../../../shared/contract/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

export const hasWrittenContract = existsSync(new URL('operations.md', folder))

/** An operation as the written contract states it. */
interface WrittenOperation {
  readonly number: number
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** Query parameters of a GET, fields of a body of a write. */
  readonly names: readonly string[]
  readonly headers: readonly string[]
  readonly totals?: string | null
}

/** Groups of parameters that the tables abbreviate. */
const groups: Readonly<Record<string, readonly string[]>> = {
  W: ['days', 'from', 'to'],
  F: ['platform', 'topicId', 'unbranded', 'branded', 'country', 'locationId'],
  P: ['limit', 'offset'],
  C: ['compare'],
  CSV: ['format'],
}

/** Operations that share one row, and so one cell for the path, as the path of the operation they repeat. */
const v1Writes: Readonly<Record<string, number>> = {
  addPromptsV1: 76,
  updatePromptV1: 77,
  setPromptTrackingV1: 78,
  restorePromptWordingV1: 79,
  createReportV1: 80,
  refreshSitemapV1: 82,
}

const mcp = '/api/mcp/projects/{projectId}'
const v1 = '/api/v1/projects/{projectId}'

/** The text of each endpoint that the contract describes in full, by method and path. */
function sections(): ReadonlyMap<string, string> {
  const parts = read('api-contract.md').split(/^### /m)
  return new Map(
    parts.flatMap((part) => {
      const [, method, path] = /^(GET|POST|PATCH) (\S+)/.exec(part) ?? []
      return method ? [[`${method} ${path}`, part] as const] : []
    }),
  )
}

const withoutParentheses = (text: string) => text.replaceAll(/\([^()]*\)/g, '')

/** Query parameters in a list of prose: in backticks, abbreviated, or a first word that is a parameter elsewhere. */
function queryNames(text: string, known: ReadonlySet<string>): string[] {
  const plain = withoutParentheses(text).replaceAll('the service', 'locationId')
  const quoted = [...plain.matchAll(/`(\w+)(?:=[^`{]*)?`/g)].map(([, name]) => name ?? '')
  const words = plain.split(/[,;:]/).map((item) => /^[\w-]+/.exec(item.trim())?.[0] ?? '')
  return [...quoted, ...words.flatMap((word) => groups[word] ?? (known.has(word) ? [word] : []))]
}

/** Fields of a body: keys of the object in the cell, or of the object or table in the section. */
function bodyNames(cell: string, section: string): string[] {
  const object = /^`\{(.*?)\}`/.exec(cell)?.[1] ?? /^- Body: `\{(.*?)\}`/m.exec(section)?.[1] ?? ''
  const keys = object.replaceAll(/:[^,]*/g, '').match(/\w+/g) ?? []
  const rows = [...section.matchAll(/^\| ([a-z]\w*) \|/gm)].map(([, name]) => name ?? '')
  return [...keys, ...rows]
}

function totalsOf(cell: string, names: readonly string[], section: string) {
  if (cell.includes('`totalCount` null')) return { totals: null }
  const own = /total(?:Sources|Urls)/.exec(section)?.[0]
  if (own) return { totals: own }
  const isPaged = names.includes('offset') || /\bpagination\b/.test(cell + section)
  return isPaged ? { totals: 'totalCount' } : {}
}

const row = /^\| [\d–]+ \| [SNI] \|/

type Row = Pick<WrittenOperation, 'number' | 'operationId' | 'method' | 'path'> & {
  readonly cell: string
}

/** The rows of all tables, a row of several operations once for each. */
function rows(): Row[] {
  const lines = read('operations.md').split('\n')
  return lines
    .filter((line) => row.test(line))
    .flatMap((line) => {
      const [, numbers = '', , ids = '', route = '', cell = ''] = line
        .split(/(?<!\\)\|/)
        .map((text) => text.trim())
      const [, method = '', tail = ''] = /^(GET|POST|PATCH) ?(\S*)/.exec(route) ?? []
      const path = tail.startsWith('/api/') ? tail : mcp + tail
      const first = Number.parseInt(numbers, 10)
      return ids
        .split(', ')
        .map((operationId, i) => ({ number: first + i, operationId, method, path, cell }))
    })
}

/** @param known names of query parameters, for those that the contract writes without backticks */
export function writtenOperations(known: ReadonlySet<string>): WrittenOperation[] {
  const described = sections()
  const found = new Map<number, WrittenOperation>()
  let sameAsBefore: readonly string[] = []
  for (const { cell, ...operation } of rows()) {
    const { number, operationId, method, path } = operation
    const twin = v1Writes[operationId]
    const original = found.get(twin ?? Number(/^(?:= |body form of )(\d+)/.exec(cell)?.[1]))
    if (original) {
      const place = { method: original.method, path: original.path.replace(mcp, v1) }
      found.set(number, { ...original, ...operation, ...(twin === undefined ? {} : place) })
      continue
    }
    const section = described.get(`${method} ${path}`) ?? ''
    const [asked = ''] = cell.split('→')
    const [sentence = ''] = asked.split('. ')
    const query = /^- Query:? (.*)/m.exec(section)?.[1] ?? ''
    const isSame = asked.startsWith('same')
    const names = new Set(
      method === 'GET'
        ? [
            ...(isSame ? sameAsBefore : []),
            ...queryNames(query, known),
            ...queryNames(sentence, known),
          ]
        : bodyNames(asked, section),
    )
    if (!isSame) sameAsBefore = [...names]
    const headers = (asked + section).match(/(?<=`)(?:If-Match|Idempotency-Key)(?=`)/g) ?? []
    found.set(number, {
      ...operation,
      names: [...names],
      headers,
      ...totalsOf(cell, [...names], section),
    })
  }
  return [...found.values()]
}
