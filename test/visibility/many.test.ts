import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import { underKeys } from '../kit/graphql/rest-keys.ts'

const api = useApi()
const request = graphRequests(api)

type Row = Record<string, unknown>

describe('visibility of many projects', () => {
  let key = ''

  beforeAll(async () => {
    const workspace = await api.workspace()
    key = (await workspace.key()).key
    for (let i = 0; i < 50; i++) {
      const name = `P${String(i).padStart(2, '0')}`
      const id = await workspace.project({ name, domain: `${name}.com` })
      if (i > 2) continue
      // The first has one answer, which names it; the second two, the third three, of which one names it.
      const answers = Array.from({ length: i + 1 }, (_, n) => ({
        prompt: `q${n}`,
        topic: 'T',
        collectedAt: '2025-05-10T08:00:00Z',
        text: n === 0 ? `${name}.` : 'Nobody.',
        citations: [{ position: 1, url: `https://${name}.com/` }],
      }))
      expect(await workspace.load(id, answers)).toMatchObject({ loaded: i + 1 })
    }
  })

  async function ask(limit: number, fields: string) {
    const { data, statements } = await request(
      key,
      `{ projects(first: ${limit}) { nodes { ${fields} } } }`,
    )
    const projects = (data.projects as { nodes: Row[] }).nodes
    expect(projects).toHaveLength(limit)
    return { projects, statements }
  }

  const window = 'from: "2025-05-01", to: "2025-05-31"'

  test('costs one statement for what is selected, each project with its own numbers', async () => {
    const fields = `visibility(window: { ${window} }) { summary { visibilityScore totalResponses: answerCount } }`
    const { projects, statements } = await ask(50, fields)
    expect(statements).toEqual(['visibility.presence-window'])
    const rows = projects.map(({ visibility }) => (visibility as Row).summary)
    expect(rows.slice(0, 4)).toEqual([
      { visibilityScore: 100, totalResponses: 1 },
      { visibilityScore: 50, totalResponses: 2 },
      { visibilityScore: 33.33, totalResponses: 3 },
      { visibilityScore: null, totalResponses: 0 },
    ])
  })

  test('costs as many statements for 50 as for one, with all that can be selected', async () => {
    const all = `visibility(window: { ${window} }, filter: { platforms: ["chatgpt"] }, compare: previous_period) {
        summary { visibilityScore averagePosition citationCount domainCount
          changes { visibilityScore { change } citationCount { change } } }
        platforms { platform { slug } citations: citationCount brandCitations: ownCitationCount } trend { date visibilityScore }
        industryRanking { entities { brand { name } mentions: mentionCount } }
        comparison { mode } }
      visibilityHistory(window: { ${window} }) { history { date } }
      visibilityByTopic(window: { ${window} }) { topics: nodes { topic { name } visibilityScore } }
      visibilityByLocation(window: { ${window} }) { nodes { location { city } } }
      visibilityByPlatform(window: { ${window} }) { platforms { platform { slug } brandCitations: ownCitationCount } }`
    const one = await ask(1, all)
    const fifty = await ask(50, all)
    expect(fifty.statements).toEqual(one.statements)
    expect(one.statements).toHaveLength(7)
    expect(fifty.projects[2]).toMatchObject({
      visibilityByTopic: { topics: [{ topic: { name: 'T' }, visibilityScore: 33.33 }] },
      visibilityByPlatform: { platforms: [{ platform: { slug: 'chatgpt' }, brandCitations: 3 }] },
    })
  })
})

const graphNames = {
  totalResponses: 'answerCount',
  responsesWithBrand: 'mentionedIn',
  totalMentions: 'mentionCount',
  totalCitations: 'citationCount',
  totalSources: 'domainCount',
}

describe('for any window and filters', () => {
  const platforms = ['chatgpt', 'perplexity', 'gemini']
  let id = ''
  let token = ''

  beforeAll(async () => {
    const workspace = await api.workspace()
    id = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
    token = (await workspace.key()).key
    const texts = ['Acme.', 'Acme Acme Rival.', 'Rival, Acme.', 'Rival.', 'Nobody.']
    const answers = Array.from({ length: 90 }, (_, i) => ({
      prompt: `q${i % 7}${i % 3 === 0 ? ' Acme' : ''}`,
      platform: platforms[i % 3] ?? '',
      country: ['DE', 'US'][i % 2] ?? '',
      collectedAt: `2025-06-${String(1 + ((i * 11) % 29)).padStart(2, '0')}T${String(i % 24).padStart(2, '0')}:00:00Z`,
      text: texts[(i * 7) % 5] ?? '',
      citations: ['https://acme.com/x', 'https://wikipedia.org/a']
        .slice(0, i % 3)
        .map((url, at) => ({ position: at + 1, url })),
    }))
    expect(await workspace.load(id, answers)).toMatchObject({ loaded: 90 })
  })

  async function rest(path: string, query: string): Promise<Row> {
    const response = await api.get(`/api/mcp/projects/${id}/visibility${path}?${query}`, token)
    return (await response.json()) as Row
  }

  const plural: Row = { platform: 'platforms', country: 'countries' }

  const asked = fc.record({
    first: fc.integer({ min: 1, max: 30 }),
    length: fc.integer({ min: 0, max: 29 }),
    platform: fc.subarray(platforms),
    country: fc.subarray(['DE', 'US']),
    kind: fc.constantFrom('', 'branded', 'unbranded'),
  })

  test('pooled numbers are the sum of the daily ones, and REST equals GraphQL', async () => {
    const add = (rows: Row[], name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0)
    await fc.assert(
      fc.asyncProperty(asked, async ({ first, length, platform, country, kind }) => {
        const day = (n: number) => `2025-06-${String(n).padStart(2, '0')}`
        const [from, to] = [day(first), day(Math.min(30, first + length))]
        const lists = Object.entries({ platform, country }).filter(([, list]) => list.length > 0)
        const query = [`from=${from}&to=${to}`, ...lists.map(([name, list]) => `${name}=${list}`)]
        const filter = lists
          .map(([name, list]) => `${plural[name]}: ${JSON.stringify(list)}`)
          .concat(kind ? [`branded: ${kind === 'branded'}`] : [])
        const args = `window: { from: "${from}", to: "${to}" }, filter: { ${filter.join(', ')} }`
        const asks = query.concat(kind ? [`${kind}=true`] : []).join('&')
        const { summary, platforms: rows } = (await rest('', asks)) as {
          summary: Row
          platforms: Row[]
        }
        const { history } = (await rest('/history', asks)) as { history: Row[] }
        for (const name of ['totalResponses', 'responsesWithBrand', 'totalMentions']) {
          expect(add(history, name)).toBe(summary[name])
        }
        expect(add(rows, 'responses')).toBe(summary.totalResponses)
        expect(add(rows, 'mentions')).toBe(summary.totalMentions)
        expect(add(rows, 'citations')).toBe(summary.totalCitations)
        const {
          responseMentionRate: _,
          mentionRate: __,
          overallMentionRate: ___,
          scoreChange: ____,
          ...modern
        } = summary
        const visibility = `visibility(${args}) { summary { ${underKeys(Object.keys(modern), graphNames)} } }`
        const text = `{ project(id: "${id}") { ${visibility} } }`
        expect(await (await api.graphql(text, token)).json()).toEqual({
          data: { project: { visibility: { summary: modern } } },
        })
      }),
      { numRuns: 20 },
    )
  })
})
