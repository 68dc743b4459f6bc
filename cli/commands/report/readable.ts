import { isUuid } from '../../../core/uuid.ts'
import { columns, count } from '../../text.ts'
import { cellOf, dayOf, labelOf, labelsOf } from './labels.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.some(isFields)

/** What is for programs: where the next page begins, whether the request succeeded, how the numbers were made. */
const forPrograms = new Set([
  'success',
  'hasMore',
  'nextCursor',
  'pagination',
  'pageInfo',
  'botId',
  'coverage',
  'dataAvailable',
  'method',
  'numerator',
  'denominator',
  'basketLow',
  'basketHigh',
  'effectiveN',
  'designEffect',
  'caveat',
])

/** The names of the objects of a list within a row, where they have names. */
function namesOf(list: readonly Fields[]): string | undefined {
  const names = list.map(({ name }) => name)
  return names.every((name) => typeof name === 'string') ? names.join(', ') : undefined
}

/** The fields of a row by their paths. A list of AI platforms within a row becomes a field for each of them. */
function flat(fields: Fields, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${name}`
    if (forPrograms.has(name)) return []
    if (isFields(value)) return flat(value, `${path}.`)
    if (!isList(value)) return [[path, value]]
    if (value.every((cell) => 'platform' in cell && 'visibilityScore' in cell)) {
      return value.map(({ platform, visibilityScore }) => [`${platform}`, visibilityScore])
    }
    return [[path, namesOf(value) ?? value.length]]
  })
}

/** What pairs of answers agree on, each a percentage with its interval. */
const agreeing = /(?:^|\.)(?:mentions|firstPlaces|domains)\.(?:value|low|high)$/

/** The key that says what the value at a path is. */
function keyOf(path: string): string {
  if (agreeing.test(path)) return 'agreement'
  const [key = '', above] = path.split('.').toReversed()
  return key === 'value' && above ? above : key
}

/** Ids are for programs where a row has another name, and so are values that no row has. */
function isColumn(path: string, rows: readonly Map<string, unknown>[]): boolean {
  const values = rows.map((row) => row.get(path))
  if (values.every((value) => value === null || value === undefined || `${value}` === ''))
    return false
  const hasOthers = rows.some((row) => [...row.values()].some((value) => !isId(value)))
  return !(hasOthers && values.every((value) => value === null || isId(value)))
}

const isId = (value: unknown) => typeof value === 'string' && isUuid(value)

function rowsOf(list: readonly Fields[], hidden: ReadonlySet<string>): string {
  const rows = list.map((row) => new Map(flat(row)))
  const all = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const paths = all.filter(
    // `displayName` is the name of the platform beside it.
    (path) =>
      isColumn(path, rows) &&
      !hidden.has(path) &&
      !(path === 'platform' && all.includes('displayName')),
  )
  // The label of a column of a platform is the name of the platform, and its values are visibilities.
  const isPlatform = (path: string) => !list.some((row) => path in row) && !path.includes('.')
  const labels = labelsOf(paths)
  const head = paths.map((path, at) => {
    if (path === 'displayName') return 'AI platform'
    return isPlatform(path) ? cellOf('platform', path) : (labels[at] ?? path)
  })
  const lines = rows.map((row) =>
    paths.map((path) => cellOf(isPlatform(path) ? 'visibilityScore' : keyOf(path), row.get(path))),
  )
  return columns([head, ...lines], '')
}

function factsOf(facts: readonly (readonly [path: string, text: string])[]): string {
  // The contract has some numbers twice, under two keys.
  const own = facts.filter(
    ([path, text], at) =>
      !facts.slice(0, at).some((each) => isSame(each[0], path) && each[1] === text),
  )
  const labels = labelsOf(own.map(([path]) => path))
  return columns(
    own.map(([path, text], at) => [labels[at] ?? path, text]),
    '',
  )
}

const isSame = (path: string, other: string) =>
  labelOf(path) === labelOf(other) && parentOf(path) === parentOf(other)
const parentOf = (path: string) => path.split('.').slice(0, -1).join('.')

/** Which project, and which days. */
function headOf({ project, dateRange }: Fields): string | undefined {
  const name = isFields(project) && typeof project.name === 'string' ? project.name : undefined
  const { from, to } = isFields(dateRange) ? dateRange : {}
  const days =
    typeof from === 'string' && typeof to === 'string' ? `${dayOf(from)} – ${dayOf(to)}` : undefined
  return [name, days].filter((part) => part !== undefined).join(', ') || undefined
}

/** The list of a report has no other name than that. */
const plain = new Set(['rows', 'nodes'])

/**
 * A report for people: the project and the days, its facts as lines, and then each of its lists as a table.
 * @param hidden keys that would mislead in this report
 */
export function readable(body: Fields, hidden: ReadonlySet<string> = new Set()): string {
  const { project, dateRange, ...rest } = body
  const isOfProject = isFields(project) && Object.keys(project).every((key) => shownInHead.has(key))
  const facts: [path: string, text: string][] = []
  const lists: [string, readonly Fields[]][] = []
  const read = (fields: Fields, prefix: string) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = `${prefix}${name}`
      if (forPrograms.has(name) || hidden.has(path) || isId(value)) continue
      if (isFields(value)) read(value, `${path}.`)
      else if (isList(value)) lists.push([path, value])
      else if (!Array.isArray(value) || value.length > 0)
        facts.push([path, cellOf(keyOf(path), value)])
      else if (!plain.has(path)) facts.push([path, 'none'])
    }
  }
  read(isOfProject || project === undefined ? rest : { project, ...rest }, '')
  const head = headOf(body)
  const { pagination } = body
  const parts = head === undefined ? [] : [head]
  if (facts.length > 0) parts.push(factsOf(facts))
  for (const [path, list] of lists) {
    const table = rowsOf(list, hidden)
    parts.push(plain.has(path) ? table : `${titleOf(path)}\n${table}`)
  }
  if (isFields(pagination) && pagination.hasMore === true) {
    const { offset, returnedCount, totalCount } = pagination
    const [first, shown] = [Number(offset), Number(returnedCount)]
    parts.push(
      `${count(first + 1)} to ${count(first + shown)} of ${count(Number(totalCount))}: \`--limit\` and \`--offset\` show others.`,
    )
  }
  return parts.join('\n\n')
}

const shownInHead = new Set(['id', 'name', 'domain'])

const titleOf = (path: string) => labelOf(path).replace(/^[a-z]/, (letter) => letter.toUpperCase())
