import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { type Cell, connectorDoors } from './connector.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''
let project = ''

const doors = connectorDoors(
  api,
  () => project,
  () => key,
)
const rowsOf = async (dataset: string, fields: readonly string[]) =>
  (await doors.everywhere({ dataset, fields })).rows

const id = (last: number) => `00000000-0000-4000-a000-00000000000${last}`
const page = '00000000-0000-4000-b000-000000000001'
const first = new Date('2025-05-01T23:30:00Z')
const last = new Date('2025-05-10T12:00:00Z')

/**
 *   issue  check                   severity  affected  reach  state
 *   1      title-length            low       70        5      open
 *   2      h1-multiple             low       2         5      open, of the same page
 *   3      ai-search-bots-blocked  critical  4         12     open, of the site
 *   4      slow-response           medium    1800      0      resolved, fixed
 *   5      no-more-a-check         low       1         0      resolved, the check is retired
 *
 *   opportunity  rule           impact    status
 *   6            prompt-gap     high      active
 *   7            site-issue     critical  active
 *   8            negative-topic high      dismissed
 */
beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  project = await workspace.project()
  key = (await workspace.key()).key
  const issue = {
    projectId: project,
    origin: null,
    evidence: [],
    decidedBy: 1,
    url: 'https://acme.com/a',
    firstSeenAt: first,
    lastSeenAt: last,
    openedAt: first,
  }
  const fixed = { status: 'resolved', resolution: 'fixed', resolvedAt: last } as const
  const retired = { ...fixed, resolution: 'check_retired' } as const
  const site = { url: 'https://acme.com/robots.txt', pageId: null }
  const issues = [
    { check: 'title-length', severity: 'low', affectedCount: 70, reach: 5, pageId: page },
    { check: 'h1-multiple', severity: 'low', affectedCount: 2, reach: 5, pageId: page },
    {
      check: 'ai-search-bots-blocked',
      severity: 'critical',
      affectedCount: 4,
      reach: 12,
      ...site,
    },
    { check: 'slow-response', severity: 'medium', affectedCount: 1800, reach: 0, ...fixed },
    { check: 'no-more-a-check', severity: 'low', affectedCount: 1, reach: 0, ...retired },
  ] as const
  await api.db.issue.createMany({
    data: issues.map((row, i) => ({ ...issue, ...row, id: id(i + 1) })),
  })
  const opportunity = {
    projectId: project,
    description: 'In words.',
    score: 1,
    evidence: {},
    subject: '',
    createdAt: first,
    updatedAt: last,
    category: 'content',
  }
  const gap = { source: 'competitors', scope: 'prompt', actionType: 'create_page' }
  const fix = { source: 'audits', scope: 'site', actionType: 'fix_site', category: 'technical' }
  const tone = { source: 'sentiment', scope: 'topic', actionType: 'improve_page' }
  const dismissed = { status: 'dismissed', dismissedAt: last, dismissedReason: 'No.' } as const
  const opportunities = [
    { rule: 'prompt-gap', title: 'Close the gap', impact: 'high', ...gap },
    { rule: 'site-issue', title: 'Fix robots.txt', impact: 'critical', ...fix },
    { rule: 'negative-topic', title: 'Answer critics', impact: 'high', ...tone, ...dismissed },
  ] as const
  await api.db.opportunity.createMany({
    data: opportunities.map((row, i) => ({ ...opportunity, ...row, id: id(i + 6) })),
  })
})

describe('issues', () => {
  test.each<[string[], Cell[][]]>([
    [
      ['status', 'severity'],
      [
        ['open', 'critical', 1, 12],
        ['open', 'low', 2, 10],
        ['resolved', 'low', 1, 0],
        ['resolved', 'medium', 1, 0],
      ],
    ],
    [
      ['category'],
      [
        ['aiReadiness', 1, 12],
        ['content', 2, 10],
        ['technical', 2, 0], // also of a check that is retired
      ],
    ],
    [[], [[5, 22]]],
  ])('by %s', async (dimensions, expected) => {
    expect(await rowsOf('issues', [...dimensions, 'issues', 'reach'])).toEqual(expected)
  })

  test('one a row, with their days in UTC', async () => {
    const rows = (await doors.everywhere({ dataset: 'issues' })).rows
    expect(rows).toHaveLength(5)
    expect(rows[0]).toEqual([
      id(1),
      'title-length',
      'content',
      'low',
      'open',
      null,
      'https://acme.com/a',
      page,
      '2025-05-01',
      '2025-05-10',
      null,
      1,
      70,
      5,
    ])
    expect(rows[3]?.slice(4, 6)).toEqual(['resolved', 'fixed'])
    expect(rows[3]?.at(10)).toBe('2025-05-10')
  })

  test('pages join, and other projects have none of them', async () => {
    const ask = { dataset: 'issues', fields: ['issueId'], limit: 3 }
    const pages = [await doors.everywhere(ask), await doors.everywhere({ ...ask, offset: 3 })]
    expect(pages.flatMap(({ rows }) => rows)).toEqual([1, 2, 3, 4, 5].map((n) => [id(n)]))
    expect(pages[1]?.pagination).toMatchObject({ totalCount: 5, hasMore: false })
    const empty = await workspace.project()
    const other = connectorDoors(
      api,
      () => empty,
      () => key,
    )
    for (const dataset of ['issues', 'opportunities']) {
      expect((await other.everywhere({ dataset })).rows).toEqual([])
    }
  })
})

describe('opportunities', () => {
  test('by status and impact', async () => {
    expect(await rowsOf('opportunities', ['status', 'impact', 'opportunities'])).toEqual([
      ['active', 'critical', 1],
      ['active', 'high', 1],
      ['dismissed', 'high', 1],
    ])
  })

  test('one a row', async () => {
    const { rows, schema } = await doors.everywhere({ dataset: 'opportunities' })
    expect(rows).toHaveLength(3)
    expect(Object.fromEntries(schema.map((field, i) => [field.id, rows[2]?.[i]]))).toEqual({
      opportunityId: id(8),
      title: 'Answer critics',
      source: 'sentiment',
      category: 'content',
      scope: 'topic',
      actionType: 'improve_page',
      impact: 'high',
      status: 'dismissed',
      createdAt: '2025-05-01',
      updatedAt: '2025-05-10',
      completedAt: null,
      dismissedAt: '2025-05-10',
      autoResolvedAt: null,
      opportunities: 1,
    })
  })
})

test.each(['issues', 'opportunities'])('the schema of %s is that of its rows', async (dataset) => {
  const { fields } = await doors.everywhere<{ fields: unknown[] }>({ dataset }, 'schema')
  expect((await doors.everywhere({ dataset })).schema).toEqual(fields)
})
