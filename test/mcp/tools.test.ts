import { beforeAll, describe, expect, test } from 'vitest'
import type { Table } from '../../mcp/table.ts'
import { useApi } from '../kit/api.ts'
import { answers, brand, may } from '../kit/reports.ts'
import { callTool, connect, type eras, recordsOf } from '../kit/tools.ts'

const api = useApi()

let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  project = await workspace.project(brand)
  key = (await workspace.key()).key
  await workspace.load(project, answers)
})

/** A table of a tool, in the modern era unless another one is named. */
async function tableOf(
  name: string,
  given: Record<string, unknown>,
  era?: keyof typeof eras,
): Promise<Table> {
  const { text, structure, isError } = await callTool(await connect(api.url, key, era), name, given)
  expect(isError, text).toBe(false)
  expect(JSON.parse(text)).toEqual(structure)
  return structure as unknown as Table
}

async function refusalOf(name: string, given: Record<string, unknown>): Promise<string> {
  const { text, isError } = await callTool(await connect(api.url, key), name, given)
  expect(isError, text).toBe(true)
  return text
}

describe.each(['modern', 'legacy'] as const)('a client of the %s era', (era) => {
  test('finds tools of which one changes something, texts and questions', async () => {
    const client = await connect(api.url, key, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'list_projects',
      'get_report',
      'explain_change',
      'search',
      'fetch',
      'search_schema',
      'query_graph',
      'plan_change',
      'apply_change',
    ])
    const writes = tools.filter(({ annotations }) => !annotations?.readOnlyHint)
    expect(writes.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
      ['apply_change', true],
    ])
    // Clients put the list into each conversation: 3,000 tokens of it at most.
    expect(JSON.stringify(tools).length).toBeLessThan(3000 * 3.6)
    expect(client.getInstructions()?.length).toBeLessThan(250 * 3.6)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      'sightline://accuracy',
      'sightline://method',
      'sightline://glossary',
      'sightline://errors',
      'sightline://schema',
    ])
    const { contents } = await client.readResource({ uri: 'sightline://errors' })
    expect(contents[0]).toHaveProperty('text', expect.stringContaining('# Errors'))
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'sightline://projects/{id}/brand',
    ])
    const brandOf = await client.readResource({ uri: `sightline://projects/${project}/brand` })
    expect(JSON.parse((brandOf.contents[0] as { text: string }).text)).toMatchObject({
      name: 'Acme',
      domain: 'acme.com',
      competitors: [{ name: 'Bose', domain: 'bose.com' }],
      topics: [{ name: 'Earbuds', promptCount: 1 }, { name: 'Headphones' }],
    })
    // Clients need to hear of no change, because a running service has none.
    const { tools: listed, resources: texts, prompts } = client.getServerCapabilities() ?? {}
    expect([listed, texts, prompts].map((each) => each?.listChanged)).toEqual([false, false, false])
    const { messages } = await client.getPrompt({
      name: 'why_did_it_change',
      arguments: { project: 'Acme', metric: 'visibility' },
    })
    expect(messages[0]?.content).toHaveProperty(
      'text',
      expect.stringContaining('visibility of "Acme"'),
    )
  })

  test('completes the name of a project', async () => {
    const client = await connect(api.url, key, era)
    const ref = { type: 'ref/prompt', name: 'weekly_review' } as const
    const complete = async (value: string) =>
      (await client.complete({ ref, argument: { name: 'project', value } })).completion.values
    expect(await complete('ac')).toEqual(['Acme'])
    expect(await complete('zz')).toEqual([])
  })

  test('lists the projects of its key', async () => {
    const table = await tableOf('list_projects', {}, era)
    expect(recordsOf(table)).toEqual([
      expect.objectContaining({
        id: project,
        name: 'Acme',
        domain: 'acme.com',
        first_answer: '2025-04-05',
        last_answer: '2025-05-30',
      }),
    ])
    expect(table.page).toEqual({ returned: 1, total: 1 })
  })

  test('gets the overview, with the interval and the count of each share', async () => {
    const given = { project: 'acme', report: 'overview', ...may, compare: 'previous_period' }
    const { columns, rows, window, method, link } = await tableOf('get_report', given, era)
    const byMetric = recordsOf({ columns, rows })
    expect(byMetric.map(({ metric }) => metric)).toEqual([
      'visibility',
      'average_position',
      'share_of_voice',
      'sentiment',
      'citations',
    ])
    // Five of ten answers mention Acme, and one of four before.
    expect(byMetric[0]).toMatchObject({ value: 50, n: 5, of: 10, change: 25 })
    // Acme is in five answers and Bose in three.
    expect(byMetric[2]).toMatchObject({ value: 62.5, n: 5, of: 8 })
    expect(byMetric[4]).toMatchObject({ value: 8 })
    expect(window).toEqual({ ...may, comparedWith: { from: '2025-04-01', to: '2025-04-30' } })
    expect(method).toMatchObject({ answers: 10, prompts: 2, decisionGrade: false })
    expect(link).toBe(
      `${api.settings.PUBLIC_URL ?? 'http://127.0.0.1:4000'}/projects/${project}/overview?from=2025-05-01&to=2025-05-30&compare=previous_period`,
    )
  })
})

test('visibility by platform is what the graph says', async () => {
  const given = { project, report: 'visibility', by: 'platform', ...may }
  const rows = recordsOf(await tableOf('get_report', given))
  expect(rows.map(({ platform, n, of }) => ({ platform, n, of }))).toEqual([
    { platform: 'ChatGPT', n: 4, of: 6 },
    { platform: 'Perplexity', n: 1, of: 4 },
  ])
  const graph = await api.graphql(
    `{ project(id: "${project}") { visibility(window: { from: "${may.from}", to: "${may.to}" }) {
      platforms { platform { displayName } metrics { visibilityScore { value low high } } } } } }`,
    key,
  )
  const { data } = (await graph.json()) as {
    data: {
      project: {
        visibility: {
          platforms: {
            platform: { displayName: string }
            metrics: { visibilityScore: { value: number; low: number; high: number } }
          }[]
        }
      }
    }
  }
  const digits = (value: number) => Number(value.toPrecision(4))
  expect(
    rows.map(({ platform, visibility, low, high }) => [platform, visibility, low, high]),
  ).toEqual(
    data.project.visibility.platforms.map(({ platform, metrics: { visibilityScore } }) => [
      platform.displayName,
      digits(visibilityScore.value),
      digits(visibilityScore.low),
      digits(visibilityScore.high),
    ]),
  )
})

const byRules = expect.stringMatching(/^(?:by rules|as imported)/)

/** Each report with its parts, and a row that a reader can count. */
const counted: readonly (readonly [string, string, Record<string, unknown> | undefined])[] = [
  ['visibility', 'total', { n: 5, of: 10 }],
  ['visibility', 'day', { date: '2025-05-02', n: 1, of: 1 }],
  ['visibility', 'topic', { topic: 'Earbuds', n: 2, of: 4 }],
  ['visibility', 'prompt', { prompt: 'best headphones', n: 3, of: 6 }],
  ['visibility', 'location', undefined],
  ['visibility', 'brand', { brand: 'Acme', own: true, n: 5, of: 10 }],
  ['share_of_voice', 'total', { n: 5, of: 8 }],
  ['share_of_voice', 'day', { date: '2025-05-02', n: 1, of: 1 }],
  ['share_of_voice', 'brand', { brand: 'Acme', n: 5, of: 8 }],
  ['sentiment', 'total', { positive: 3, negative: 1, rated: byRules }],
  ['sentiment', 'day', { date: '2025-05-02', positive: 1 }],
  ['sentiment', 'brand', { brand: 'Acme', positive: 3, negative: 1, rated: byRules }],
  ['citations', 'total', { citations: 8, domains: 2, answers: 10 }],
  ['citations', 'platform', { platform: 'ChatGPT', citations: 8, own_citations: 3 }],
  ['citations', 'brand', { brand: 'Acme', citations: 3 }],
  ['competitors', 'total', { brand: 'Acme', rank: 1, n: 5, of: 10 }],
  ['prompts', 'total', { answers: 4, n: 2, of: 4 }],
  ['answers', 'total', { platform: 'Perplexity', mentioned: false, prompt: 'best headphones' }],
  ['sources', 'total', { domain: 'wired.com', n: 5, of: 10, citations: 5 }],
  ['cited_pages', 'total', { url: 'https://wired.com/a', n: 5, of: 10 }],
  ['content_types', 'total', { citations: 8 }],
  ['query_fanout', 'total', undefined],
  ['shopping', 'total', undefined],
  ['ads', 'total', undefined],
  ['issues', 'total', undefined],
  ['opportunities', 'total', undefined],
  ['collecting', 'total', undefined],
]

test.each(counted)('%s by %s', async (report, by, row) => {
  const hasWindow = !['issues', 'opportunities', 'collecting'].includes(report)
  const { columns, rows, page } = await tableOf('get_report', {
    project,
    report,
    by,
    ...(hasWindow && may),
  })
  expect(columns.length).toBeGreaterThan(2)
  expect(page?.returned).toBe(rows.length)
  if (row) expect(recordsOf({ columns, rows })).toContainEqual(expect.objectContaining(row))
  else expect(rows).toEqual([])
})

test('a source that is not connected is said, with what to do', async () => {
  for (const [report, code] of [
    ['crawlers', 'traffic_not_connected'],
    ['ai_referrals', 'ga4_not_connected'],
    ['search_performance', 'gsc_not_connected'],
  ] as const) {
    expect(await refusalOf('get_report', { project, report })).toMatch(
      new RegExp(`^${code}: .+\\.`),
    )
  }
})

test('the answers of a prompt, with a filter for each', async () => {
  const byPrompt = { project, report: 'visibility', by: 'prompt', ...may }
  const found = recordsOf(await tableOf('get_report', byPrompt)).find(
    ({ prompt }) => prompt === 'best headphones',
  )
  const given = {
    project,
    report: 'answers',
    ...may,
    prompt: found?.prompt_id,
    mentioned: true,
    topics: ['headphones'],
    brand: 'acme',
    cites: 'acme.com',
    limit: 2,
  }
  const first = await tableOf('get_report', given)
  expect(first.page).toMatchObject({ returned: 2, total: 3, next: expect.any(String) })
  const second = await tableOf('get_report', { ...given, cursor: first.page?.next })
  expect(second.page).toEqual({ returned: 1, total: 3 })
  const snippet = recordsOf(second)[0]?.snippet
  expect(snippet).toMatch(
    /^<untrusted id=([\da-f]{8})>Acme is excellent and I love it\.<\/untrusted id=\1>$/,
  )
})

test('an answer of a table is fetched whole', async () => {
  const given = { project, report: 'answers', ...may, cites: 'acme.com', limit: 1 }
  const [row] = recordsOf(await tableOf('get_report', given))
  const { structure, isError } = await callTool(await connect(api.url, key), 'fetch', {
    id: row?.id,
  })
  expect(isError).toBe(false)
  expect(structure).toMatchObject({
    title: 'ChatGPT: best headphones',
    text: expect.stringMatching(
      /^<untrusted id=(.{8})>Acme is excellent and I love it\.<\/untrusted id=\1>$/,
    ),
    url: expect.stringMatching(new RegExp(`/projects/${project}/answers/[\\da-f-]{36}$`)),
    metadata: {
      mentioned: true,
      sentiment: 'positive',
      mentions: [{ brand: 'Acme', rank: 1, sentiment: 'positive' }],
      citations: [{ url: 'https://acme.com/a' }, { url: 'https://wired.com/a' }],
      part: 1,
      parts: 1,
    },
  })
  expect(await refusalOf('fetch', { id: 'nothing' })).toMatch(/^(not_found|invalid_argument): /)
})

test('a change is explained by parts that sum to it', async () => {
  const given = { project, metric: 'visibility', ...may }
  const table = await tableOf('explain_change', given)
  const platforms = recordsOf(table).filter(({ dimension }) => dimension === 'platform')
  const sum = platforms.reduce((total, { contribution }) => total + Number(contribution), 0)
  expect(sum).toBeCloseTo(25)
  expect(table.notes?.[0]).toMatch(/^visibility changed by 25[, ].*from 25 to 50: /)
})

test('what a report would ignore is refused, with what it takes', async () => {
  expect(await refusalOf('get_report', { project, report: 'issues', platforms: ['chatgpt'] })).toBe(
    'invalid_argument: issues by total does not take platforms.',
  )
  expect(await refusalOf('get_report', { project, report: 'answers', cites: 'no domain' })).toBe(
    'invalid_argument: `cites` must be domains, such as `example.com`; got `no domain`.',
  )
  expect(await refusalOf('get_report', { project, report: 'sentiment', by: 'topic' })).toBe(
    'invalid_argument: `by: topic` does not go with sentiment. It takes total, day, brand.',
  )
  expect(await refusalOf('get_report', { project: 'Nobody', report: 'overview' })).toBe(
    'not_found: No project "Nobody". There are: Acme.',
  )
  const stranger = await (await api.workspace()).project()
  expect(await refusalOf('get_report', { project: stranger, report: 'overview' })).toMatch(
    /^forbidden: /,
  )
})

describe('the graph', () => {
  test('is searched by words, and asked', async () => {
    const client = await connect(api.url, key)
    const found = await callTool(client, 'search_schema', { terms: ['topics', 'PromptFilter'] })
    expect(found.text).toContain('Project.topics(first:Int after:String):TopicConnection')
    expect(found.text).toContain('I PromptFilter')
    expect(found.text.length).toBeLessThan(8000)
    const asked = await callTool(client, 'query_graph', {
      document: 'query ($id: ID!) { project(id: $id) { name } }',
      variables: { id: project },
    })
    expect(asked.structure).toMatchObject({ data: { project: { name: 'Acme' } } })
  })

  test('says what a document would cost, without running it', async () => {
    const client = await connect(api.url, key)
    const document = `{ project(id: "${project}") { urlsToWin(first: 1) { totalCount } name } }`
    const { structure } = await callTool(client, 'query_graph', { document, dry_run: true })
    expect(structure).toEqual({
      cost: 8,
      limit: 300,
      remaining: expect.any(Number),
      costliest: [expect.objectContaining({ path: ['project', 'urlsToWin'] })],
    })
    expect(await refusalOf('query_graph', { document: '{ none }', dry_run: true })).toMatch(
      /^invalid_argument: Cannot query field "none"/,
    )
  })

  test('has the limits of /graphql for a document that asks too much', async () => {
    const deep = (levels: number): string =>
      levels === 0 ? 'name' : `topics { nodes { project { ${deep(levels - 1)} } } }`
    const wide = Array.from({ length: 90 }, (_, i) => `a${i}: urlsToWin(first: 1) { totalCount }`)
    for (const [fields, code] of [
      [deep(30), 'invalid_argument'],
      [wide.join(' '), 'invalid_argument'],
    ] as const) {
      const document = `{ project(id: "${project}") { ${fields} } }`
      expect(await refusalOf('query_graph', { document })).toMatch(new RegExp(`^${code}: `))
    }
  })

  test('is never changed', async () => {
    const document = `mutation { deleteProject(projectId: "${project}") { __typename } }`
    expect(await refusalOf('query_graph', { document })).toBe(
      'invalid_argument: Only queries run here. Plan a change with plan_change.',
    )
    expect(await refusalOf('query_graph', { document: '{ nonsense }' })).toMatch(
      /^invalid_argument: Cannot query field "nonsense"/,
    )
  })
})
