import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { unhardened } from '../../core/csv-cell.ts'
import { questionKey } from '../../core/question.ts'
import { useApi } from '../kit/api.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { lacksPython, readByPython } from '../kit/rest/python-csv.ts'

await clearOfMidnight()

/**
 * Exports hold the same as the JSON, whoever reads them. All that was done to a text is undone by taking one
 * apostrophe off where what might be a formula follows: `unhardened`.
 */

const api = useApi()
let key = ''
let project = ''

const unruly = [
  '=1+1',
  '=HYPERLINK("https://x.example","y")',
  '+49 30 123',
  '-1',
  '@SUM(A1:A9)',
  '\ttab',
  '\rreturn',
  '\nfeed',
  '＝1',
  "'=already",
  "it's",
  '  leading spaces',
  'trailing spaces  ',
  'a,b;c|d',
  'a;=1+1;b',
  'say "hello", twice: ""',
  '"',
  '""',
  'lone\rreturn inside',
  'lone\nfeed inside',
  'both\r\ninside',
  'tab\tinside',
  '👋🏽 emoji 👨‍👩‍👧',
  'ünï — “quotes”',
  '\u{FEFF}mark',
  'zero\u200bwidth \u2028 separator',
  'null',
  '007',
  '1e5',
]

const readers: readonly [name: string, read: (file: Buffer) => string[][], lacks: boolean][] = [
  ['csv-parse', (file) => parse(file, { bom: true, record_delimiter: '\r\n' }), false],
  ["Python's csv", readByPython, lacksPython],
]

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(
    project,
    unruly.map((text, i) => ({
      prompt: `prompt ${i}`,
      model: text,
      collectedAt: new Date(Date.now() - 86_400_000).toISOString(),
      citations: [
        { url: `https://site${i}.example/page?q=${text}`, title: text },
        { url: `https://site${i}.example/=${i},"x"`, title: `${text}\u0000${text}` },
      ],
    })),
  )
  // Past the door, which trims: what is stored may have come by other ways.
  for (const [i, text] of unruly.entries()) {
    const topic = await api.db.topic.create({ data: { projectId: project, name: `${text} ${i}` } })
    const first = { revision: 1, text, questionKey: questionKey(text), change: 'created' } as const
    await api.db.prompt.create({
      data: {
        projectId: project,
        text,
        promptType: text,
        keywordSearchVolume: i,
        topics: { create: { topicId: topic.id } },
        revisions: { create: { ...first, projectId: project } },
      },
    })
  }
})

const ask = (path: string) =>
  api.get(`/api/mcp/projects/${project}${path}${path.includes('?') ? '&' : '?'}limit=1000`, key)

/** A JSON value as a cell shows it, before hardening. */
function asCell(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

describe.each([
  ['/prompts', 'prompts', 2 * unruly.length],
  ['/sources/domains', 'sources', unruly.length],
  ['/sources/urls', 'urls', 2 * unruly.length],
] as const)('the CSV of %s', (path, rowsKey, count) => {
  let rows: Record<string, unknown>[]
  let file: Buffer

  beforeAll(async () => {
    const body = (await (await ask(path)).json()) as Record<string, Record<string, unknown>[]>
    rows = body[rowsKey] ?? []
    file = Buffer.from(await (await ask(`${path}?format=csv`)).arrayBuffer())
  })

  test('has something to read', () => {
    expect(rows).toHaveLength(count)
    expect(file.subarray(0, 3)).toEqual(Buffer.from('\u{FEFF}'))
  })

  test.skipIf(lacksPython)('is the same to both readers', () => {
    const [one, other] = readers.map(([, read]) => read(file))
    expect(other).toEqual(one)
  })

  for (const [name, read, lacks] of readers) {
    test.skipIf(lacks)(`holds the cells of the JSON, as ${name} reads it`, () => {
      const [header = [], ...records] = read(file)
      expect(header).toEqual(Object.keys(rows[0] ?? {}))
      const plain = records.map((record) =>
        record.map((cell, at) => {
          const isText = rows.some((row) => typeof row[header[at] ?? ''] === 'string')
          return isText ? unhardened(cell) : cell
        }),
      )
      expect(plain).toEqual(rows.map((row) => header.map((column) => asCell(row[column]))))
    })

    test.skipIf(lacks)(`begins no cell with a formula, as ${name} reads it`, () => {
      const [header = [], ...records] = read(file)
      const formulas = records.flatMap((record, row) =>
        record.filter(
          (cell, at) =>
            typeof rows[row]?.[header[at] ?? ''] !== 'number' &&
            /^[=+\-@＝＋－＠\t\r\n]/.test(cell),
        ),
      )
      expect(formulas).toEqual([])
    })
  }
})

test.skipIf(lacksPython)('the readers are strict, and read bytes alike', () => {
  expect(() => readByPython(Buffer.from('a,b\r\n"c"d,e\r\n'))).toThrow(/Error/)
  expect(() => readByPython(Buffer.from('a,"b\r\n'))).toThrow(/Error/)
  expect(() => readByPython(Buffer.from('\xe9', 'latin1'))).toThrow(/Error/)
  expect(readByPython(Buffer.from('\u{FEFF}a,"b\rc"\r\n'))).toEqual([['a', 'b\rc']])
})
