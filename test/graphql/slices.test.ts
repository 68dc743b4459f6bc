import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { type executors, graphRequests, triedExecutors } from '../kit/graphql/requests.ts'

const api = useApi()
const request = graphRequests(api)

type Row = Record<string, unknown>

let project = ''
let key = ''
let ids: Record<'topic' | 'prompt' | 'platform' | 'location', readonly string[]>

const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'
const texts = ['Acme is great, then Bose.', 'Acme, Acme. Terrible.', 'Bose alone.', 'Nobody.']
const places = ['Berlin, Germany', 'Austin, Texas, US', undefined]

/** q0 is of both topics, q1 of the first, q2 and q3 of the second, q4 of none. */
function topicOf(i: number): { topic?: string } {
  const topic = [`T${i % 2}`, 'T0', 'T1', 'T1'][i % 5]
  return topic === undefined ? {} : { topic }
}

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({ competitors: [{ name: 'Bose', domain: 'bose.com' }] })
  const lines = Array.from({ length: 120 }, (_, i) => ({
    prompt: `q${i % 5}`,
    ...topicOf(i),
    platform: ['chatgpt', 'perplexity', 'gemini'][(i * 7) % 3] ?? '',
    ...(places[i % 3] === undefined ? {} : { location: places[i % 3] }),
    collectedAt: `2025-05-${String(1 + (i % 31)).padStart(2, '0')}T${String(i % 24).padStart(2, '0')}:00:00Z`,
    text: texts[(i * 11) % 4] ?? '',
    citations: [{ position: 1, url: `https://site${i % 4}.com/${i % 3}` }].slice(0, i % 2),
    ads: [{ advertiser: `Bolt ${i % 3}`, url: `https://bolt-${i % 3}.com/` }].slice(0, i % 2),
    searchQueries: [`query ${i % 4}`].slice(0, i % 2),
  }))
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 120 })
  const of = { where: { projectId: project }, orderBy: { id: 'asc' } } as const
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
  ids = {
    topic: idsOf(await api.db.topic.findMany(of)),
    prompt: idsOf(await api.db.prompt.findMany(of)),
    platform: ['chatgpt', 'perplexity', 'gemini'],
    location: idsOf(await api.db.location.findMany(of)),
  }
})

const counted = `summary { visibilityScore averagePosition totalResponses: answerCount
  responsesWithBrand: mentionedIn totalMentions: mentionCount totalCitations: citationCount totalSources: domainCount }`
const reports = (args: string) => `
  visibility(${args}, compare: previous_period) { ${counted} platforms { platform { slug } responses: answerCount mentions: mentionCount citations: citationCount }
    trend { date visibilityScore } industryRanking { entities { brand { name } mentions: mentionCount visibilityScore } } }
  visibilityHistory(${args}) { history { date visibilityScore totalMentions: mentionCount } }
  shareOfVoice(${args}) { totalMentions: mentionCount brand: own { sov: shareOfVoice mentions: mentionCount } nodes { brand { name } sov: shareOfVoice } }
  sentiment(${args}, compare: previous_period) { summary { score positive neutral negative } }
  sentimentHistory(${args}) { history { date score positive } }`

const urlFields = `nodes { url rank usage: citationRate responsesWithUrl: citedIn totalResponses: answerCount title
  contentType citationType: sourceType brandMentioned hasContent } totalCount`
const domainFields = `domain type citationCount rank citedIn citationRate citationsPerCitingAnswer citationsPerAnswer
  pageCount models topContentTypes subdomains`
const common = (args: string) => `
  answers(${args}, first: 100) { totalCount nodes { id } }
  ads(${args}) { totalCount summary { measuredResponses: measuredAnswers responsesWithAds: answersWithAds adRate }
    nodes { advertiser impressions domain } }
  advertisers(${args}) { totalCount nodes { advertiser responses: shownIn shareOfAds } }`
/** The lists of a slice, and the same of the project. */
const listsOfSlice = (args: string) => `${common(args)}
  citedUrls(${args}, first: 100) { ${urlFields} }
  sources(${args}, first: 100) { nodes { citedIn domain type citationCount sourceDomain { ${domainFields} } } }`
const listsOfProject = (args: string) => `${common(args)}
  citedUrls: sourceUrls(${args}, first: 100) { ${urlFields} }
  sources: sourceDomains(${args}, first: 100) { nodes { ${domainFields} } }`

/** A list of domains of the project as a slice has it. */
function asSlice({ sources, ...rest }: Row): Row {
  const { nodes } = sources as { nodes: Row[] }
  const ofSlice = (row: Row) => {
    const { domain, type, citationCount, citedIn } = row
    return { citedIn, domain, type, citationCount, sourceDomain: row }
  }
  return { ...rest, sources: { nodes: nodes.map(ofSlice) } }
}

const lists = {
  topic: (fields: string) => `topics { nodes { id ${fields} } }`,
  prompt: (fields: string) => `prompts(first: 100) { nodes { id ${fields} } }`,
  platform: (fields: string) => `platforms { nodes { id: slug ${fields} } }`,
  location: (fields: string) => `locations { nodes { id ${fields} } }`,
}

type By = keyof typeof lists
const dimensions = Object.keys(lists) as By[]

/** The rows of a list of slices by id. */
async function slices(by: By, fields: string, executor?: keyof typeof executors) {
  const text = `{ project(id: "${project}") { ${lists[by](fields)} } }`
  const { data, statements } = await request(key, text, executor)
  const rows = ((data.project as Row)[`${by}s`] as { nodes: Row[] }).nodes
  return { rows: new Map(rows.map((row) => [String(row.id), row])), statements }
}

describe('a report of a slice', () => {
  const asked = fc.record({
    by: fc.constantFrom(...dimensions),
    platforms: fc.subarray(['ChatGPT', 'perplexity']),
    countries: fc.subarray(['DE', 'United States']),
    branded: fc.constantFrom('', 'branded: true', 'branded: false'),
    first: fc.integer({ min: 1, max: 31 }),
  })

  test('equals the same report of the project under a filter, at both doors', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ by, platforms, countries, branded, first }) => {
        const from = `2025-05-${String(first).padStart(2, '0')}`
        const given = [
          ...(by === 'platform' || platforms.length === 0
            ? []
            : [`platforms: ${JSON.stringify(platforms)}`]),
          ...(countries.length === 0 ? [] : [`countries: ${JSON.stringify(countries)}`]),
          ...(branded ? [branded] : []),
        ]
        const args = (own: string[]) =>
          `window: { from: "${from}", to: "2025-05-31" }, filter: { ${[...given, ...own].join(', ')} }`
        const { rows } = await slices(by, `${reports(args([]))} ${listsOfSlice(args([]))}`)
        for (const id of ids[by]) {
          const { id: _id, ...found } = rows.get(id) ?? {}
          // REST and the project have no filter on one prompt: topics of the prompt alone stand in.
          if (by === 'prompt') continue
          const own = { topic: 'topicIds', platform: 'platforms', location: 'locationIds' }[by]
          const filtered = args([`${own}: ["${id}"]`])
          const text = `{ project(id: "${project}") { ${reports(filtered)} ${listsOfProject(filtered)} } }`
          expect(found).toEqual(asSlice((await request(key, text)).data.project as Row))
          const name = { topic: 'topicId', platform: 'platform', location: 'locationId' }[by]
          const query = new URLSearchParams({ from, to: '2025-05-31', [name]: id })
          if (countries.length > 0) query.set('country', countries.join(','))
          if (by !== 'platform' && platforms.length > 0) query.set('platform', platforms.join(','))
          if (branded) query.set(branded.endsWith('true') ? 'branded' : 'unbranded', 'true')
          const rest = await api.get(`/api/mcp/projects/${project}/visibility?${query}`, key)
          expect(await rest.json()).toMatchObject({ summary: (found.visibility as Row).summary })
          const urls = await api.get(`/api/mcp/projects/${project}/sources/urls?${query}`, key)
          const ofRest = ((await urls.json()) as { urls: Row[] }).urls
          expect(ofRest).toMatchObject((found.citedUrls as { nodes: Row[] }).nodes)
        }
      }),
      { numRuns: 3 },
    )
  })

  test('of one prompt counts its answers', async () => {
    const { rows } = await slices('prompt', `visibility(${window}) { ${counted} }`)
    // Each of five prompts has 24 answers; one in two names Acme.
    const summaries = [...rows.values()].map(({ visibility }) => (visibility as Row).summary as Row)
    expect(summaries.map((row) => row.totalResponses)).toEqual([24, 24, 24, 24, 24])
    expect(summaries.map((row) => row.responsesWithBrand)).toEqual([12, 12, 12, 12, 12])
  })

  test('names the field of an input that is not valid', async () => {
    const wrong = async (args: string) => {
      const text = `{ project(id: "${project}") { topics { nodes { visibility(${args}) { ${counted} } } } } }`
      const body = (await (await api.graphql(text, key)).json()) as {
        errors: [{ message: string; extensions: { details: { fieldErrors: Row } } }]
      }
      return Object.keys(body.errors[0].extensions.details.fieldErrors)
    }
    expect(await wrong('window: { days: 0 }')).toEqual(['window.days'])
    expect(await wrong('window: { from: "2025-05-01" }')).toEqual(['window.to'])
    expect(await wrong('window: { preset: last_month, days: 3 }')).toEqual(['window.preset'])
    expect(await wrong('filter: { platforms: ["altavista"] }')).toEqual(['filter.platforms'])
    expect(await wrong('filter: { countries: ["Atlantis"] }')).toEqual(['filter.countries'])
    expect(await wrong(`filter: { topicIds: ["${project}"] }`)).toEqual(['filter.topicIds.0'])
    expect(await wrong(`filter: { locationIds: ["${project}"] }`)).toEqual(['filter.locationIds.0'])
  })

  test('needs the scope `read`, as the report of the project does', async () => {
    const workspace = await api.workspace()
    const of = await workspace.project()
    const writer = (await workspace.key({ scopes: ['write'] })).key
    const text = (fields: string) =>
      `mutation { addTopic(projectId: "${of}", name: "T") { project { topics { nodes { id ${fields} } } } } }`
    const body = await (await api.graphql(text(`visibility { ${counted} }`), writer)).json()
    expect(JSON.stringify(body)).toContain('missing_scope')
  })
})

describe.each(triedExecutors)('with %s', (executor) => {
  test.each(dimensions)(
    'reports of %ss cost the same statements for one and for many',
    async (by) => {
      const fields = reports(window)
      const many = await slices(by, fields, executor)
      expect(many.rows.size).toBeGreaterThan(1)
      expect(many.statements).toEqual([
        'sentiment',
        'sentiment.history',
        'share-of-voice',
        'visibility.brands-window',
        'visibility.citations-platform-window',
        'visibility.presence-day-platform-window',
      ])
      if (by !== 'prompt') return
      const text = `{ project(id: "${project}") { prompts(first: 1) { nodes { id ${fields} } } } }`
      expect((await request(key, text, executor)).statements).toEqual(many.statements)
    },
  )

  test('changes of rows are read where they are asked for, for one prompt as for many', async () => {
    const statements = async (first: number, row: string) => {
      const fields = `visibility(${window}, compare: previous_period) { platforms { ${row} } }`
      const list = `prompts(first: ${first}) { nodes { ${fields} } }`
      const text = `{ project(id: "${project}") { ${list} } }`
      return (await request(key, text, executor)).statements
    }
    const counted = ['visibility.citations-platform', 'visibility.presence-platform']
    for (const first of [1, 100]) {
      expect(await statements(first, 'answerCount')).toEqual(counted)
      const withChanges = [...counted, 'visibility.presence-platform']
      expect(await statements(first, 'answerCount change { change }')).toEqual(withChanges)
    }
  })
})
