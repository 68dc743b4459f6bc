import type { Client } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Table } from '../../mcp/table.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { useApi } from '../kit/api.ts'
import { credentials } from '../kit/credentials.ts'
import { makeTestDemo } from '../kit/demo.ts'
import { answers, brand, may } from '../kit/reports.ts'
import { isSoak, sampled, sized } from '../kit/soak.ts'
import { at, type Columns, type Filters, type Read, reads, selectionOf } from '../kit/tool-reads.ts'
import { callTool, connect, recordsOf } from '../kit/tools.ts'

/**
 * What the tools say is what the graph says, asked by documents of this file. The soak asks 200 sets of arguments of the
 * demonstration, and the normal run a few of a small project.
 */

const api = useApi()
const numRuns = sized({ normal: 1, soak: 7 })
const demoId = '7a1f0c3e-52c4-4f6e-9d7a-0d3b6a1c9e52'

let project = ''
let workspaceId = ''
let client: Client
let key = ''
let topics: string[] = []

beforeAll(async () => {
  if (isSoak) {
    project = (await makeTestDemo(api, { projectId: demoId, endDay: may.to })).projectId
    workspaceId = (await api.db.project.findUniqueOrThrow({ where: { id: project } })).workspaceId
  } else {
    const workspace = await api.workspace('enterprise')
    workspaceId = workspace.id
    project = await workspace.project(brand)
    await workspace.load(project, answers)
  }
  await newKey()
  const { nodes } = (await graph(`topics(first: 100) { nodes { name } }`, 'topics')) as Named
  topics = nodes.map(({ name }) => name)
})

/** A key has 600 units of cost a minute, and a set of arguments may take most of them: each takes a key of its own. */
async function newKey(): Promise<void> {
  key = (await createKey(api.db, { workspaceId, scopes: ['admin'] })).key
}

async function newClient(): Promise<void> {
  await newKey()
  client = await connect(api.url, key)
}

interface Named {
  readonly nodes: readonly { readonly name: string }[]
}

/** Asks the graph over HTTP, and takes what stands at a path of the answer. */
async function send(query: string): Promise<Record<string, unknown>> {
  const sent = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { ...credentials(key), 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await sent.json()) as { data: never; errors?: { message: string }[] }
  expect(errors, query).toBeUndefined()
  return data
}

async function graph(selection: string, path: string): Promise<unknown> {
  const data = await send(`{ project(id: "${project}") { ${selection} } }`)
  return at(data.project, path)
}

interface Given extends Filters {
  readonly days: number
  readonly isCompared: boolean
  readonly limit: number
}

const digits = (value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value)
    ? Number(value.toPrecision(4))
    : (value ?? null)

const dayBefore = (days: number) =>
  new Date(Date.parse(may.to) - (days - 1) * 86_400_000).toISOString().slice(0, 10)

/** All rows of a report by the tool, page after page. */
async function byTool(given: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    // Pages of five rows of some thousand answers.
    if (pages++ % 100 === 99) await newClient()
    const asked = { ...given, ...(cursor && { cursor }) }
    const { text, structure, isError } = await callTool(client, 'get_report', asked)
    expect(isError, text).toBe(false)
    const table = structure as unknown as Table
    rows.push(...recordsOf(table))
    cursor = table.page?.next
  } while (cursor)
  return rows
}

/** The same rows by the graph, by a document of this file. */
async function byGraph(read: Read, given: Given, window: string) {
  const { list, columns, change, also, isPaged, filters, hasWindow } = read
  const isCompared = given.isCompared && change !== undefined
  const changes: Columns = isCompared
    ? {
        change: `${change}.change`,
        change_low: `${change}.interval.low`,
        change_high: `${change}.interval.high`,
        significant: `${change}.isSignificant`,
      }
    : {}
  const all = { ...columns, ...changes }
  const filter = [
    ...(given.platforms ? [`platforms: ${JSON.stringify(given.platforms)}`] : []),
    ...(given.topics && !filters
      ? [`topicIds: ${JSON.stringify(await topicIds(given.topics))}`]
      : []),
    ...(given.branded !== undefined && !filters ? [`branded: ${given.branded}`] : []),
  ]
  const isFiltered = filter.length > 0 && filters?.length !== 0
  const argumentsOf = (after: string | null) => [
    ...(hasWindow === false ? [] : [`window: ${window}`]),
    ...(isFiltered ? [`filter: { ${filter.join(', ')} }`] : []),
    ...(isCompared ? ['compare: previous_period'] : []),
    ...(isPaged ? ['first: 1000'] : []),
    ...(after === null ? [] : [`after: "${after}"`]),
    ...(also ? [also] : []),
  ]
  const names = list.split('.')
  const takes = read.takes ?? names[0]
  const last = names.at(-1)
  const nodes: unknown[] = []
  let after: string | null = null
  do {
    const given: string = argumentsOf(after).join(', ')
    const selection = names.reduceRight(
      (body, name) =>
        `${name}${name === takes ? `(${given})` : ''} { ${body} }${isPaged && name === last ? ' pageInfo { endCursor hasNextPage }' : ''}`,
      selectionOf(Object.values(all)),
    )
    const found = await graph(selection, isPaged ? names.slice(0, -1).join('.') : list)
    if (!isPaged) {
      nodes.push(...(Array.isArray(found) ? found : [found]))
      break
    }
    nodes.push(...(at(found, last ?? '') as unknown[]))
    after = at(found, 'pageInfo.hasNextPage') ? (at(found, 'pageInfo.endCursor') as string) : null
  } while (after !== null)
  return nodes.map((node) =>
    Object.fromEntries(Object.entries(all).map(([name, path]) => [name, digits(at(node, path))])),
  )
}

async function topicIds(names: readonly string[]): Promise<string[]> {
  const { nodes } = (await graph('topics(first: 100) { nodes { id name } }', 'topics')) as {
    nodes: { id: string; name: string }[]
  }
  return nodes.filter(({ name }) => names.includes(name)).map(({ id }) => id)
}

/** The reports of this run. */
const ofThisRun = sampled(
  Object.entries(reads).filter(([, { isOfDemo }]) => isSoak || !isOfDemo),
  8,
)

describe('get_report', () => {
  test.each(ofThisRun)('%s', async (name, read) => {
    const [report, by] = name.split(' ')
    const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
    const sets: fc.Arbitrary<Given> = fc.record({
      days: fc.integer({ min: 1, max: 90 }),
      isCompared: fc.boolean(),
      limit: fc.integer({ min: 5, max: 100 }),
      platforms: maybe(fc.subarray(['chatgpt', 'perplexity', 'gemini'], { minLength: 1 })),
      topics: maybe(fc.subarray(topics.slice(0, 20), { minLength: 1 })),
      branded: maybe(fc.boolean()),
    })
    const check = async (given: Given) => {
      await newClient()
      const { days, isCompared, limit, platforms, topics: named, branded } = given
      const range = { from: dayBefore(days), to: may.to }
      const has = (filter: keyof Filters) => read.filters?.includes(filter) ?? true
      const asked = {
        project,
        report,
        by,
        limit,
        ...(read.hasWindow !== false && range),
        ...(isCompared && read.change && { compare: 'previous_period' }),
        ...(platforms && has('platforms') && { platforms }),
        ...(named && has('topics') && { topics: named }),
        ...(branded !== undefined && has('branded') && { branded }),
      }
      const window = `{ from: "${range.from}", to: "${range.to}" }`
      const [rows, expected] = [await byTool(asked), await byGraph(read, given, window)]
      expect(rows.length, JSON.stringify(asked)).toBe(expected.length)
      for (const [i, row] of expected.entries()) {
        expect(rows[i], JSON.stringify(asked)).toMatchObject(row)
      }
    }
    await fc.assert(fc.asyncProperty(sets, check), { numRuns, endOnFailure: true })
  })
})

test('the overview has the numbers of the reports that it sums up', async () => {
  await newClient()
  const range = { from: dayBefore(30), to: may.to, compare: 'previous_period' }
  const rowsOf = (report: string) => byTool({ project, report, ...range })
  const overview = await rowsOf('overview')
  for (const metric of ['visibility', 'share_of_voice', 'sentiment', 'citations']) {
    const [row = {}] = await rowsOf(metric)
    const { [metric]: value, low, high, n, of, change } = row
    expect(overview.find((each) => each.metric === metric)).toMatchObject(
      metric === 'citations' ? { value, change } : { value, low, high, n, of, change },
    )
  }
})

describe('the other tools', () => {
  beforeAll(newKey)

  async function answerOf(name: string, given: Record<string, unknown> = {}) {
    const { text, structure, isError } = await callTool(await connect(api.url, key), name, given)
    expect(isError, text).toBe(false)
    return structure as Record<string, unknown>
  }

  test('list_projects', async () => {
    const { projects } = (await send(
      '{ projects(first: 1000) { nodes { id name domain status dataAvailable { from to } } } }',
    )) as { projects: { nodes: Record<string, unknown>[] } }
    const rows = recordsOf((await answerOf('list_projects')) as unknown as Table)
    expect(rows).toMatchObject(
      projects.nodes.map(({ dataAvailable, ...each }) => ({
        ...each,
        first_answer: at(dataAvailable, 'from'),
        last_answer: at(dataAvailable, 'to'),
      })),
    )
  })

  test('explain_change', async () => {
    const sets = fc.record({
      metric: fc.constantFrom('visibility', 'share_of_voice', 'sentiment', 'citations'),
      days: fc.integer({ min: 5, max: 45 }),
      top: fc.integer({ min: 1, max: 20 }),
    })
    const driver = 'label contribution current previous rateEffect mixEffect'
    const check = async ({ metric, days, top }: { metric: string; days: number; top: number }) => {
      await newKey()
      const range = { from: dayBefore(days), to: may.to }
      const table = await answerOf('explain_change', { project, metric, top, ...range })
      const movers = (await graph(
        `investigate(window: { from: "${range.from}", to: "${range.to}" }, metric: ${metric}) {
          movers(top: ${top}) { dimension otherCount contributionOfOthers up { ${driver} } down { ${driver} } } }`,
        'investigate.movers',
      )) as { dimension: string; otherCount: number; up: object[]; down: object[] }[]
      const expected = movers.flatMap(({ dimension, up, down }) =>
        [...up, ...down].map((each) => ({
          dimension,
          part: at(each, 'label'),
          contribution: digits(at(each, 'contribution')),
          previous: digits(at(each, 'previous')),
          current: digits(at(each, 'current')),
          by_rate: digits(at(each, 'rateEffect')),
          by_mix: digits(at(each, 'mixEffect')),
        })),
      )
      const rows = recordsOf(table as unknown as Table)
      const others = movers.filter(({ otherCount }) => otherCount > 0)
      expect(rows.length).toBe(expected.length + others.length)
      expect(rows).toEqual(expect.arrayContaining(expected))
    }
    await fc.assert(fc.asyncProperty(sets, check), { numRuns, endOnFailure: true })
  })

  test('search and fetch', async () => {
    const words = sized({ normal: ['acme', 'earbuds'], soak: ['best', 'battery', 'northwind'] })
    for (const query of words) {
      const { results } = (await answerOf('search', { project, query, limit: 20 })) as {
        results: { id: string; kind: string; title: string }[]
      }
      const expected = (await graph(
        `search(query: "${query}", first: 20) { objectId kind title }`,
        'search',
      )) as { objectId: string; kind: string; title: string }[]
      expect(
        results
          .filter(({ kind }) => kind !== 'help')
          .map(({ id, kind, title }) => ({ objectId: id, kind, title })),
      ).toEqual(expected)
      for (const { id } of expected.map(({ objectId }) => ({ id: objectId }))) {
        const { metadata } = (await answerOf('fetch', { id })) as { metadata: object }
        const { node } = (await send(`{ node(id: "${id}") {
          ... on Answer { position sentiment mentioned: brandMentioned }
          ... on SourceDomain { cited_in: citedIn citations: citationCount pages: pageCount }
          ... on Topic { prompts: promptCount }
          ... on Prompt { tracked: isTracked branded: isBranded } } }`)) as { node: object }
        expect(metadata).toMatchObject(node)
      }
    }
  })

  test('search_schema', async () => {
    const terms = sized({ normal: ['topics'], soak: ['topics', 'citations', 'crawlers', 'runs'] })
    for (const term of terms) {
      const { schema } = (await answerOf('search_schema', { terms: [term] })) as { schema: string }
      const fields = [...schema.matchAll(/^Project\.(\w+)\(/gm)].map(([, name]) => name)
      expect(fields.length).toBeGreaterThan(0)
      const { __type } = (await send('{ __type(name: "Project") { fields { name } } }')) as {
        __type: Named & { fields: { name: string }[] }
      }
      expect(__type.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(fields))
    }
  })

  test('query_graph', async () => {
    for (const { list, columns, hasWindow, takes, isOfDemo } of sampled(Object.values(reads), 4)) {
      if (hasWindow === false || takes || isOfDemo) continue
      const [field = '', ...rest] = list.split('.')
      const inner = rest.reduceRight(
        (body, name) => `${name} { ${body} }`,
        selectionOf(Object.values(columns)),
      )
      const document = `{ project(id: "${project}") { ${field}(window: { days: 7 }) { ${inner} } } }`
      const { data } = await answerOf('query_graph', { document })
      expect(data).toEqual(await send(document))
    }
  })

  test('plan_change and apply_change', async () => {
    const input = { prompts: [{ text: 'which headphones last longest' }] }
    const planned = await answerOf('plan_change', { project, action: 'add_prompts', input })
    const { planChange } = (await send(`mutation { planChange(projectId: "${project}",
      action: add_prompts, input: { prompts: [{ text: "which headphones last longest" }] }) {
      ... on PlannedChange { id summary lines { label before after } } } }`)) as {
      planChange: { id: string; summary: string; lines: object[] }
    }
    const { id, summary, lines } = planChange
    expect(planned).toMatchObject({ summary, changes: lines })
    // A plan of either door is the same row.
    const uuids = `${project}${id}`.replaceAll('-', '')
    const plan = Buffer.from(uuids, 'hex').toString('base64url')
    await api.db.plannedChange.update({
      where: { id },
      data: { decision: 'approved', decidedAt: new Date() },
    })
    const applied = await answerOf('apply_change', { plan })
    expect(applied).toEqual({
      status: 'applied',
      summary,
      changes: lines,
      result: await graph(`plannedChange(id: "${id}") { result }`, 'plannedChange.result'),
    })
  })
})
