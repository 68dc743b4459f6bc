import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stringify } from 'csv-stringify/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { runProgram } from '../kit/programs.ts'
import { root } from '../kit/repository.ts'
import { lacksPython } from '../kit/rest/python-csv.ts'
import { isSoak } from '../kit/soak.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'
import { type Cell, connectorDoors, type Field, type Table } from './connector.ts'

await clearOfMidnight()

/** What a connector is refused, and what programs make of it that know nothing but schema and rows. */

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
const doors = connectorDoors(
  api,
  () => project,
  () => key,
)
const may = { startDate: '2025-05-01', endDate: '2025-05-31' }
const awkward = 'Which "cheap", small\nheadphones are =SUM(1;2)?'

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(project, [
    {
      prompt: awkward,
      text: 'Acme.',
      collectedAt: '2025-05-10T08:00:00Z',
      citations: [{ url: 'https://a.org/x,y?q="z"' }, { url: 'https://b.org/' }],
    },
    { prompt: awkward, text: 'None.', collectedAt: '2025-05-10T09:00:00Z' },
    { prompt: awkward, text: 'None.', collectedAt: '2025-05-11T09:00:00Z' },
    { prompt: 'p2', text: 'Acme.', platform: 'perplexity', collectedAt: '2025-05-11T08:00:00Z' },
  ])
  await connectSource(api.db, project)
  await putHits(api.warehouse, project, [
    { bot: 'GPTBot', at: '2025-05-10T08:00:00Z', path: '/a,b' },
    { bot: 'GPTBot', at: '2025-05-11T08:00:00Z', path: '/"c"' },
    { bot: 'PerplexityBot', at: '2025-05-12T08:00:00Z' },
  ])
})

describe('refused at every door alike:', () => {
  test.each([
    ['an unknown field', ['clicks'], 'of visibility: date, platform'],
    ['a field of other datasets', ['date', 'url'], 'got `url`.'],
    ['SQL', ['date) FROM answers --'], 'got `date) FROM answers --`.'],
    ['a name of every object', ['constructor'], 'got `constructor`.'],
    ['a field named twice', ['date', 'date'], 'names `date` twice'],
    ['a name that is no name', ['x'.repeat(101)], 'must have at most 100 characters'],
  ])('%s', async (_what, fields, told) => {
    const refusal = await doors.refusal({ dataset: 'visibility', fields })
    expect(refusal).toMatch(/^400 invalid_argument `fields/)
    expect(refusal).toContain(told)
  })

  test.each([
    [{ startDate: '2025-05-01' }, '`endDate` is required'],
    [{ endDate: '2025-05-01' }, '`startDate` is required'],
    [
      { startDate: '2025-05-02', endDate: '2025-05-01' },
      '`startDate` must not be after `endDate`, `2025-05-01`; got `2025-05-02`.',
    ],
    [{ startDate: '2025-02-30', endDate: '2025-03-01' }, '`startDate` must be a calendar date'],
    [{ startDate: '2024-05-01', endDate: '2025-05-01' }, '`startDate` begins a range of 366 days'],
  ])('%j', async (dates, told) => {
    for (const dataset of ['sources', 'prompts']) {
      expect(await doors.refusal({ dataset, ...dates })).toContain(`400 invalid_argument ${told}`)
    }
  })

  test('a plan without it, when all else is right', async () => {
    const growth = await api.workspace('growth')
    const id = await growth.project()
    const own = (await growth.key()).key
    const gated = connectorDoors(
      api,
      () => id,
      () => own,
    )
    const told =
      '403 plan_upgrade_required The plan "growth" does not include the connector. upgrade'
    expect(await gated.refusal({ dataset: 'prompts' })).toBe(told)
    expect(await gated.refusal({ dataset: 'prompts' }, 'schema')).toBe(told)
    expect(await gated.refusal({ dataset: 'prompts', fields: ['clicks'] })).toMatch(/^400/)
  })
})

describe('refused', () => {
  const codeOf = async (response: Response) => {
    const { code, message } = (await response.json()) as { code: string; message: string }
    return `${response.status} ${code} ${message}`
  }

  test.each(['schema', 'data'] as const)('an unknown dataset, or none, of %s', async (what) => {
    for (const response of [
      await doors.get(what, 'dataset=clicks'),
      await doors.post(what, { dataset: 'clicks' }),
    ]) {
      expect(await codeOf(response)).toMatch(
        /^400 invalid_argument `dataset` must be .*visibility.*sources.*traffic.*prompts.*issues.*opportunities/,
      )
    }
    for (const response of [await doors.get(what, ''), await doors.post(what, {})]) {
      expect(await codeOf(response)).toMatch(/^400 invalid_argument `dataset` /)
    }
    const { errors } = await doors.graph(what, { dataset: 'clicks' })
    expect(errors?.[0]?.message).toMatch(/^`dataset` must be one of visibility, /)
  })

  test.each([
    [{ fields: 'date' }, 'fields'],
    [{ fields: [] }, 'fields'],
    [{ fields: [1] }, 'fields.0'],
    [{ limit: 0 }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ offset: -1 }, 'offset'],
    [{ startDate: 5, endDate: 6 }, 'startDate'],
  ])('a body with %j', async (body, field) => {
    const response = await doors.post('data', { dataset: 'sources', ...body })
    expect(await codeOf(response)).toMatch(new RegExp(`^400 invalid_argument \`${field}\` `))
  })

  test('a body that is no object, no JSON, or of another type', async () => {
    expect(await codeOf(await doors.post('data', []))).toMatch(/^400 invalid_argument/)
    const text = { 'content-type': 'text/plain' }
    expect(await codeOf(await doors.post('data', {}, text))).toMatch(/^415/)
  })

  test('a page in CSV', async () => {
    expect(await codeOf(await doors.get('data', 'dataset=prompts&format=csv'))).toMatch(
      /^400 invalid_argument `format`/,
    )
  })
})

test('a read by POST keeps nothing for a repetition, and has no tag', async () => {
  const once = { 'idempotency-key': 'same' }
  const first = await doors.post('data', { dataset: 'prompts', fields: ['prompts'] }, once)
  const second = await doors.post('data', { dataset: 'prompts', fields: ['text'] }, once)
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.headers.get('x-idempotent-replay')).toBeNull()
  expect(first.headers.get('etag')).toBeNull()
  const response = await fetch(api.url + doors.pathOf('data'), {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}` },
  })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
})

test('thirty days end today unless others are asked for', async () => {
  const own = await workspace.project()
  const other = connectorDoors(
    api,
    () => own,
    () => key,
  )
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await workspace.load(own, [{ collectedAt: daysAgo(28) }, { collectedAt: daysAgo(31) }])
  const ask = { dataset: 'visibility', fields: ['responses'] }
  expect((await other.everywhere(ask)).rows).toEqual([[1]])
})

/** A client that knows no dataset: it lists the datasets, then reads each, page by page. */
async function readAll(dataset: string): Promise<Table> {
  const schema = (await (await doors.post('schema', { dataset })).json()) as { fields: Field[] }
  const fields = schema.fields.map(({ id }) => id)
  const rows: (readonly Cell[])[] = []
  for (let offset = 0; ; ) {
    const ask = { dataset, fields, ...may, limit: 2, offset }
    const page = (await (await doors.post('data', ask)).json()) as Table
    rows.push(...page.rows)
    if (!page.pagination.hasMore) return { ...page, rows }
    offset = Number(page.pagination.nextOffset)
  }
}

const isOf: Record<string, (cell: Cell) => boolean> = {
  string: (cell) => typeof cell === 'string',
  integer: (cell) => Number.isInteger(cell),
  number: (cell) => typeof cell === 'number',
  boolean: (cell) => typeof cell === 'boolean',
  date: (cell) => typeof cell === 'string' && /^\d{4}-\d\d-\d\d$/.test(cell),
}

/** What pivot tables do: sums of a metric by a dimension, of any table. */
function pivot({ schema, rows }: Table, dimension: string, metric: string) {
  const at = (id: string, role: string) =>
    schema.findIndex((field) => field.id === id && field.role === role)
  const [by, of] = [at(dimension, 'dimension'), at(metric, 'metric')]
  const sums: Record<string, number> = {}
  for (const row of rows) sums[String(row[by])] = (sums[String(row[by])] ?? 0) + Number(row[of])
  return sums
}

/** A spreadsheet: cells of a CSV file, made what the types of their columns say. Prints them as JSON. */
const spreadsheet = `
import csv, datetime, io, json, sys
given = json.load(sys.stdin)
kinds = {
  'string': str, 'integer': int, 'number': float,
  'boolean': lambda text: {'true': True, 'false': False}[text],
  'date': lambda text: datetime.date.fromisoformat(text).isoformat(),
}
header, *records = csv.reader(io.StringIO(given['csv'], newline=''), strict=True)
assert header == [field['label'] for field in given['schema']]
print(json.dumps([
  [None if cell == '' else kinds[field['type']](cell) for cell, field in zip(record, given['schema'], strict=True)]
  for record in records]))
`

if (isSoak) {
  describe.each(['visibility', 'sources', 'traffic', 'prompts'])('%s is read by', (dataset) => {
    test('a client of generic JSON: every cell is of the type of its field', async () => {
      const { schema, rows } = await readAll(dataset)
      expect(rows.length).toBeGreaterThan(1)
      for (const row of rows) {
        expect(row).toHaveLength(schema.length)
        const wrong = schema.filter(({ type }, i) => {
          const cell = row[i] ?? null
          return cell !== null && !isOf[type]?.(cell)
        })
        expect(wrong).toEqual([])
      }
    })

    test.skipIf(lacksPython)('a spreadsheet: cells come back as they were', async () => {
      const { schema, rows } = await readAll(dataset)
      const header = schema.map(({ label }) => label)
      const csv = stringify([header, ...rows] as Cell[][], { cast: { boolean: String } })
      const input = JSON.stringify({ schema, csv })
      const { status, stdout, stderr } = spawnSync('python3', ['-c', spreadsheet], {
        input,
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toEqual(rows)
    })
  })
}

if (isSoak) {
  test('a pivot table of the finest rows counts what the report counts', async () => {
    const table = await readAll('visibility')
    expect(table.rows).toHaveLength(3)
    expect(pivot(table, 'date', 'responses')).toEqual({ '2025-05-10': 2, '2025-05-11': 2 })
    expect(pivot(table, 'prompt', 'responsesWithBrand')).toEqual({ [awkward]: 1, p2: 1 })
  })
}

if (isSoak) {
  test.skipIf(lacksPython)('the program of the documentation reads what it says', async () => {
    const page = readFileSync(`${root}/docs/connector.md`, 'utf8')
    const [, program = ''] = /```python\n(.*?)```/s.exec(page) ?? []
    const call =
      'import sys\nprint(json.dumps(list(table(*sys.argv[1:3], "sources", ["domain", "citations"]))))'
    await workspace.load(project, [
      { collectedAt: new Date().toISOString(), citations: [{ url: 'https://now.org/' }] },
    ])
    const args = ['-c', `${program}\n${call}`, api.url + doors.pathOf('data').slice(0, -5), key]
    const { stdout } = await promisify(execFile)('python3', args)
    expect(JSON.parse(stdout)).toEqual([{ domain: 'now.org', citations: 1 }])
  })
}

describe('scripts of examples/', () => {
  const host = new URL('../kit/apps-script.ts', import.meta.url)

  /** What the expressions give in Google's Apps Script, with pages of one row. */
  async function inAppsScript(file: string, expressions: readonly string[], bearer = key) {
    const properties = { SIGHTLINE_URL: `${api.url}/`, SIGHTLINE_KEY: bearer }
    const job = {
      file: join(root, 'examples', file),
      replaced: { 'PAGE_ROWS = 1000': 'PAGE_ROWS = 1' },
      properties: { ...properties, SIGHTLINE_PROJECT: project },
      expressions,
    }
    const args = [fileURLToPath(host), JSON.stringify(job)]
    const { code, stdout, stderr } = await runProgram(args, { env: { TZ: 'UTC' } })
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  test('Google Sheets gets a table with dates, page by page, and what is wrong in words', async () => {
    const [table, days, unknown, nothing] = await inAppsScript('google-sheets/Code.gs', [
      `SIGHTLINE('visibility', 'platform, responses,visibilityScore', new Date(2025, 4, 1), ' 2025-05-31')`,
      `SIGHTLINE('traffic', [['date'], ['visits']], '2025-05-01', '2025-05-11')`,
      `SIGHTLINE('visibility', 'clicks')`,
      `SIGHTLINE()`,
    ])
    expect(table).toEqual([
      ['AI platform', 'Responses', 'Visibility score'],
      ['chatgpt', 3, 33.33],
      ['perplexity', 1, 100],
    ])
    expect(days.slice(1)).toEqual([
      ['2025-05-10T00:00:00.000Z', 1],
      ['2025-05-11T00:00:00.000Z', 1],
    ])
    expect(unknown.thrown).toContain('got `clicks`.')
    expect(nothing.thrown).toBe('Name a dataset, such as "visibility".')
  })

  test('Looker Studio gets a schema that adds up no ratio, rows of the wanted fields, and what is wrong in words', async () => {
    const configParams = { url: api.url, project, dataset: 'visibility' }
    const of = (more: object) => JSON.stringify({ configParams, ...more })
    const dateRange = may
    const fields = ['date', 'responses', 'visibilityScore'].map((name) => ({ name }))
    const [refused, taken, isValid, { schema }, data, unknown] = await inAppsScript(
      'looker-studio/Code.gs',
      [
        `setCredentials({ key: 'secret' })`,
        `setCredentials({ key: ${JSON.stringify(key)} })`,
        'isAuthValid()',
        `getSchema(${of({})})`,
        `getData(${of({ fields, dateRange })})`,
        `getData(${of({ fields: [{ name: 'clicks' }], dateRange })})`,
      ],
      '',
    )
    expect([refused, taken, isValid]).toEqual([
      { errorCode: 'INVALID_CREDENTIALS' },
      { errorCode: 'NONE' },
      true,
    ])
    const [date, responses, score] = fields.map(({ name }) =>
      schema.find((field: { name: string }) => field.name === name),
    )
    expect(date).toEqual({
      name: 'date',
      label: 'Date',
      dataType: 'STRING',
      semantics: { conceptType: 'DIMENSION', semanticType: 'YEAR_MONTH_DAY' },
    })
    expect(responses.defaultAggregationType).toBe('SUM')
    expect(score.semantics).toEqual({ conceptType: 'METRIC', isReaggregatable: false })
    expect(data).toEqual({
      schema: [date, responses, score],
      rows: [{ values: ['20250510', 2, 50] }, { values: ['20250511', 2, 50] }],
    })
    expect(unknown.thrown).toContain('got `clicks`.')
  })
})
