import { beforeAll, describe, expect, test } from 'vitest'
import { listOpportunities } from '../../resolvers/opportunities/opportunities.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import {
  answers,
  evaluate,
  evaluationTime,
  makeOpportunities,
  stored,
} from '../kit/work/opportunities.ts'

const api = useApi()
let workspace: TestWorkspace
let project = ''
let key = ''
let ids: string[] = []

const at = (day: number) => new Date(Date.UTC(2025, 4, day))

/** By place: critical, high of day 3, two high of day 2, a completed one and a dismissed one of impact low. */
beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  const twins = await makeOpportunities(api.db, project, [
    { createdAt: at(2), source: 'fanout', title: '=1+1' },
    { createdAt: at(2), source: 'fanout' },
  ])
  const [critical = '', third = '', completed = '', dismissed = ''] = await makeOpportunities(
    api.db,
    project,
    [
      { impact: 'critical', createdAt: at(1) },
      { createdAt: at(3) },
      { impact: 'low', status: 'completed', completedAt: at(9) },
      {
        impact: 'low',
        status: 'dismissed',
        dismissedAt: at(8),
        dismissedReason: 'Not ours.',
        createdAt: at(1),
      },
    ],
  )
  ids = [critical, third, ...twins.sort(), completed, dismissed]
})

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

interface Page {
  readonly nodes: readonly { readonly id: string }[]
  readonly pageInfo: { readonly endCursor: string }
}

interface List {
  readonly summary: object
  readonly pagination: object
  readonly opportunities: readonly { readonly id: string }[]
}

const list = async (query = '') => {
  const { body } = await rest('GET', `/opportunities${query}`)
  return body as unknown as List
}
const idsOf = ({ opportunities }: List) => opportunities.map(({ id }) => id)

describe('the list of opportunities', () => {
  test('has active ones by impact, then newest, then id, with exactly the keys of the contract', async () => {
    const { opportunities, ...others } = await list()
    expect(idsOf({ opportunities, ...others })).toEqual(ids.slice(0, 4))
    expect(others).toEqual({
      project: { id: project, name: 'Acme', domain: 'acme.com' },
      summary: {
        total: 4,
        bySource: { competitors: 2, fanout: 2 },
        byImpact: { critical: 1, high: 3, medium: 0, low: 0 },
      },
      pagination: {
        limit: 50,
        offset: 0,
        returnedCount: 4,
        totalCount: 4,
        hasMore: false,
        nextOffset: 4,
      },
    })
    expect(opportunities[0]).toEqual({
      id: ids[0],
      title: 'A title',
      description: 'Text.',
      source: 'competitors',
      category: 'content',
      scope: 'prompt',
      actionType: 'create_page',
      impact: 'critical',
      status: 'active',
      completedAt: null,
      dismissedAt: null,
      autoResolvedAt: null,
      dismissedReason: null,
      createdAt: '2025-05-01T00:00:00.000Z',
      updatedAt: evaluationTime.toISOString(),
    })
  })

  test('has the largest effect first in GraphQL, then the least effort, over pages and on the command line', async () => {
    const other = await workspace.project()
    const effect = (effectAnswers: number, effort: 'low' | 'high', score: number) => ({
      effectMetric: 'visibility',
      effectValue: effectAnswers / 4,
      effectAnswers,
      effectShare: effectAnswers / 4,
      effectReason: 'Why.',
      effort,
      score,
      createdAt: at(1),
    })
    const made = await makeOpportunities(api.db, other, [
      { ...effect(4, 'low', 60), impact: 'critical' },
      effect(8, 'high', 90),
      effect(8, 'low', 51),
      { ...effect(4, 'low', 60), createdAt: at(2) },
      effect(1, 'low', 99),
    ])
    const [older, hard, easy, newer, small] = made
    const wanted = [easy, hard, newer, older, small]
    const inRest = await askingRest(
      api,
      () => other,
      () => key,
    )('GET', '/opportunities')
    // By impact, then newest: effects are of the graph.
    expect(idsOf(inRest.body as unknown as List)).toEqual([
      older,
      newer,
      ...[hard, easy, small].sort(),
    ])
    expect(inRest.body.opportunities).not.toHaveProperty('0.effect')
    const first = `opportunities(first: 1) { nodes { effort effect { metric value answers share level text reason } } }`
    expect((await graph(`{ project(id: "${other}") { ${first} } }`)).data.project).toEqual({
      opportunities: {
        nodes: [
          {
            effort: 'low',
            effect: {
              metric: 'visibility',
              value: 2,
              answers: 8,
              share: 2,
              level: 'high',
              text: 'up to +2 points of visibility',
              reason: 'Why.',
            },
          },
        ],
      },
    })
    const found: string[] = []
    for (let after: string | null = null, pages = 0; pages < 3; pages++) {
      const { data } = await graph(
        `{ project(id: "${other}") { opportunities(first: 2, after: ${JSON.stringify(after)}) { nodes { id } pageInfo { endCursor } } } }`,
      )
      const page = (data.project as { opportunities: Page }).opportunities
      found.push(...page.nodes.map(({ id }) => id))
      after = page.pageInfo.endCursor
    }
    expect(found).toEqual(wanted)
    const printed = await listOpportunities(
      api.db,
      { id: other, kind: 'regular' },
      { limit: 9, offset: 0 },
    )
    expect(printed.opportunities.map(({ id }) => id)).toEqual(wanted)
  })

  test('is widened and narrowed by its filters, which the summary follows', async () => {
    expect(idsOf(await list('?includeResolved=true'))).toEqual(ids)
    expect(idsOf(await list('?includeResolved=false'))).toEqual(ids.slice(0, 4))
    // A status counts more than `includeResolved`.
    expect(idsOf(await list('?status=completed&includeResolved=true'))).toEqual([ids[4]])
    expect((await list('?status=dismissed')).opportunities).toMatchObject([
      { id: ids[5], dismissedReason: 'Not ours.', dismissedAt: '2025-05-08T00:00:00.000Z' },
    ])
    const narrowed = await list('?source=fanout&impact=high&limit=1&offset=1')
    expect(idsOf(narrowed)).toEqual([ids[3]])
    expect(narrowed.summary).toMatchObject({ total: 2, bySource: { fanout: 2 } })
    expect(await list('?impact=medium')).toMatchObject({
      summary: { total: 0, bySource: {}, byImpact: { critical: 0, high: 0, medium: 0, low: 0 } },
      opportunities: [],
    })
  })

  test('takes several values of each filter in GraphQL', async () => {
    const one = (filter: string, sort = 'score') =>
      `opportunities(filter: { ${filter} }, sort: ${sort}) { nodes { id } summary { total } }`
    const { data, errors } = await graph(`{ project(id: "${project}") {
      closed: ${one('statuses: [completed, dismissed]')}
      few: ${one('sources: [fanout, competitors], impacts: [critical, high]', 'newest')}
      none: ${one('impacts: [medium, low]')}
    } }`)
    expect(errors).toBeUndefined()
    const shown = (wanted: readonly (string | undefined)[]) => ({
      nodes: wanted.map((id) => ({ id })),
      summary: { total: wanted.length },
    })
    expect(data.project).toEqual({
      closed: shown([ids[4], ids[5]]),
      few: shown(ids.slice(0, 4)),
      none: shown([]),
    })
  })

  test('is a table too, without formulas', async () => {
    const path = `/api/mcp/projects/${project}/opportunities?format=csv&source=fanout&limit=1`
    const response = await api.get(path, key)
    expect(response.headers.get('link')).toContain('rel="next"')
    const [head = '', ...rows] = (await response.text()).trim().split('\r\n')
    expect(head.replace('\ufeff', '')).toBe(
      'id,title,description,source,category,scope,actionType,impact,status,completedAt,dismissedAt,autoResolvedAt,dismissedReason,createdAt,updatedAt',
    )
    const table = await api.get(path.replace('limit=1', 'limit=2'), key)
    expect(await table.text()).toContain("'=1+1")
    expect(rows).toHaveLength(1)
  })

  test('refuses unknown values, repeated ones and pitch projects', async () => {
    const refusals = [
      ['?status=open', '400 invalid_argument status'],
      ['?source=answers', '400 invalid_argument source'],
      ['?impact=urgent', '400 invalid_argument impact'],
      ['?impact=high&impact=low', '400 invalid_argument impact'],
      ['?includeResolved=maybe', '400 invalid_argument includeResolved'],
      ['?limit=0', '400 invalid_argument limit'],
      ['?limit=5000', '200 ok'],
    ] as const
    for (const [query, outcome] of refusals) {
      expect(outcomeOf(await rest('GET', `/opportunities${query}`))).toBe(outcome)
    }
    const pitch = await workspace.project({ kind: 'pitch' })
    const ofPitch = askingRest(
      api,
      () => pitch,
      () => key,
    )
    expect(outcomeOf(await ofPitch('GET', '/opportunities'))).toBe('403 pitch_not_supported')
    expect(outcomeOf(await ofPitch('GET', '/opportunities?limit=0'))).toBe(
      '400 invalid_argument limit',
    )
    const answer = await graph(
      `{ project(id: "${pitch}") { opportunities { summary { total } } } }`,
    )
    expect(faultIn(answer)).toBe('pitch_not_supported')
  })

  test('says the same in GraphQL, with rule, score and the objects of the evidence', async () => {
    const competitors = [{ name: 'Rival', domain: 'rival.com' }]
    const other = await workspace.project({ competitors })
    await workspace.load(other, [
      // 24 of 40 name the competitor and none the brand.
      ...answers(24, { text: 'Rival is good.', topic: 'Audio' }),
      ...answers(16, { topic: 'Audio' }, { day: 11 }),
    ])
    await evaluate(api, other)
    const fields = `{ summary { total sourceCounts { key count } impactCounts { key count } }
      opportunities: nodes { id impact status rule score createdAt
        evidence { __typename label count ... on PromptEvidence { prompt { text } }
          ... on CompetitorEvidence { prompt { text } competitor { name } } } } }`
    const { data } = await graph(`{ project(id: "${other}") { opportunities ${fields} } }`)
    const [row] = await stored(api, other)
    const prompt = { text: 'best headphones' }
    const ofPrompt = { __typename: 'PromptEvidence', prompt }
    const expected = {
      summary: {
        total: 1,
        sourceCounts: [{ key: 'competitors', count: 1 }],
        impactCounts: [
          { key: 'critical', count: 0 },
          { key: 'high', count: 1 },
          { key: 'medium', count: 0 },
          { key: 'low', count: 0 },
        ],
      },
      opportunities: [
        {
          // 50·log10(41)/3 + 30·0.6 + 20·0.4
          id: row?.id,
          impact: 'high',
          status: 'active',
          rule: 'prompt_gap',
          score: 52.88,
          createdAt: evaluationTime.toISOString(),
          evidence: [
            { ...ofPrompt, label: 'Answers to the prompt', count: 40 },
            { ...ofPrompt, label: 'Answers that name Acme', count: 0 },
            {
              __typename: 'CompetitorEvidence',
              label: 'Answers that name Rival',
              count: 24,
              prompt,
              competitor: { name: 'Rival' },
            },
          ],
        },
      ],
    }
    expect(data).toEqual({ project: { opportunities: expected } })
    const { body } = await askingRest(
      api,
      () => other,
      () => key,
    )('GET', '/opportunities')
    expect(body.opportunities).toMatchObject([{ id: row?.id, impact: 'high', status: 'active' }])
  })
})
