import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { catalog } from '../../core/errors.ts'
import { plannedActions } from '../../core/planned-changes.ts'
import type { Table } from '../../mcp/table.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { useApi } from '../kit/api.ts'
import { answers, brand } from '../kit/reports.ts'
import { sized } from '../kit/soak.ts'
import { callTool, connect } from '../kit/tools.ts'

const api = useApi()

let project = ''
let workspaceId = ''

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  workspaceId = workspace.id
  project = await workspace.project(brand)
  await workspace.load(project, answers)
})

/** Sets of arguments of each tool. */
const numRuns = sized({ normal: 4, soak: 200 })

const text = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 60 }))
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
const day = fc
  .date({ min: new Date('2025-03-01'), max: new Date('2025-07-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const named = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('acme', 'Acme', 'acme.com') },
  { weight: 1, arbitrary: text },
)
const range = { days: maybe(fc.integer({ min: -1, max: 400 })), from: maybe(day), to: maybe(day) }

/** Arguments of each tool: what it takes, and what it does not. */
const sets: Readonly<Record<string, fc.Arbitrary<object>>> = {
  list_projects: fc.record({ search: maybe(text), limit: maybe(fc.integer({ min: 0, max: 60 })) }),
  get_report: fc.record({
    project: named,
    report: fc.constantFrom(
      ...['overview', 'visibility', 'share_of_voice', 'sentiment', 'citations', 'competitors'],
      ...['prompts', 'answers', 'sources', 'cited_pages', 'content_types', 'query_fanout'],
      ...['shopping', 'ads', 'crawlers', 'issues', 'opportunities', 'collecting', 'nonsense'],
    ),
    by: maybe(fc.constantFrom('total', 'day', 'topic', 'prompt', 'platform', 'location', 'brand')),
    ...range,
    compare: maybe(fc.constantFrom('previous_period', 'previous_year')),
    platforms: maybe(
      fc.array(fc.oneof(fc.constantFrom('chatgpt', 'perplexity'), text), { maxLength: 3 }),
    ),
    branded: maybe(fc.boolean()),
    sort: maybe(fc.oneof(fc.constantFrom('gap_asc', 'citations_desc', 'score'), text)),
    limit: maybe(fc.integer({ min: 0, max: 110 })),
    cursor: maybe(text),
  }),
  explain_change: fc.record({
    project: named,
    metric: fc.constantFrom('visibility', 'share_of_voice', 'sentiment', 'citations', 'nonsense'),
    ...range,
    top: maybe(fc.integer({ min: 0, max: 21 })),
  }),
  search: fc.record({
    query: text,
    project: maybe(named),
    limit: maybe(fc.integer({ min: 0, max: 21 })),
  }),
  fetch: fc.record({ id: text, part: maybe(fc.integer({ min: 0, max: 3 })) }),
  search_schema: fc.record({ terms: fc.array(text, { maxLength: 6 }) }),
  query_graph: fc.record({
    document: fc.oneof(
      text,
      fc.constantFrom(
        '{ projects { nodes { id } } }',
        'mutation { x }',
        '{ currentKey { scopes } }',
      ),
    ),
    variables: maybe(fc.object({ maxDepth: 2 })),
    dry_run: maybe(fc.boolean()),
  }),
  plan_change: fc.record({
    project: named,
    action: fc.constantFrom(...plannedActions),
    input: fc.oneof(
      fc.object({ maxDepth: 2 }),
      fc.record({ name: text, domain: text }),
      fc.record({ prompts: fc.array(fc.record({ text }), { maxLength: 3 }) }),
      fc.record({ promptId: text, text }),
      fc.record({ reportType: text }),
    ),
  }),
  apply_change: fc.record({ plan: text }),
}

const codes = new Set(Object.keys(catalog))

test.each(Object.entries(sets))(
  '%s answers any arguments within its limits, or says what is wrong',
  async (name, given) => {
    const { key } = await testKey()
    const client = await connect(api.url, key)
    const check = async (asked: object) => {
      const sent = JSON.parse(JSON.stringify(asked)) as Record<string, unknown>
      const { text: said, structure, isError } = await callTool(client, name, sent)
      expect(Buffer.byteLength(said)).toBeLessThanOrEqual(33 * 1024)
      if (isError) {
        const [, code = ''] = /^([\w]+): /.exec(said) ?? []
        expect(codes.has(code) || said.startsWith('Input validation error'), said).toBe(true)
        expect(code).not.toBe('internal_error')
        return
      }
      expect(JSON.parse(said)).toEqual(structure)
      const { columns, rows } = structure as unknown as Partial<Table>
      for (const row of rows ?? []) expect(row.length).toBe(columns?.length)
    }
    await fc.assert(fc.asyncProperty(given, check), { numRuns, endOnFailure: true })
    expect(await changes()).toEqual([0, 0, 0, 0])
  },
)

/** A key of its own for each tool, since a key has 600 requests a minute. */
async function testKey() {
  return createKey(api.db, { workspaceId, scopes: ['admin'] })
}

/** What plans would have changed if one of them had stayed. */
const changes = async () => {
  const where = { projectId: project }
  return [
    await api.db.report.count({ where }),
    await api.db.audit.count({ where }),
    await api.db.competitor.count({ where: { ...where, name: { not: 'Bose' } } }),
    await api.db.auditEntry.count({ where: { ...where, action: 'plannedChange.apply' } }),
  ]
}
