import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import { type Kind, kinds, slicedLines } from '../kit/graphql/slice-lines.ts'
import {
  type Asked,
  asked,
  graphArgs,
  type Loaded,
  loadSliced,
  placeIn,
  restQuery,
  summaryFields,
  toneFields,
} from '../kit/graphql/slice-projects.ts'
import { sized } from '../kit/soak.ts'

const api = useApi()
const request = graphRequests(api)

type Row = Record<string, unknown>
const names = Object.keys(kinds) as Kind[]

let key = ''
let whole: Loaded
let makeTwin: (kind: Kind, name: string) => Promise<Loaded>

/** For each slice that was asked for a project whose only answers are those of the slice. */
const twins = new Map<string, Promise<Loaded>>()

function twinOf(kind: Kind, name: string): Promise<Loaded> {
  const slice = `${kind} ${name}`
  const twin = twins.get(slice) ?? makeTwin(kind, name)
  twins.set(slice, twin)
  return twin
}

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  whole = await loadSliced(api, workspace, slicedLines)
  makeTwin = (kind, name) => {
    const own = slicedLines.filter((line) => kinds[kind].has(line, name))
    // Too few or too many answers would prove little.
    expect([kind, name, own.length > 3 && own.length < slicedLines.length]).toEqual([
      kind,
      name,
      true,
    ])
    return loadSliced(api, workspace, own)
  }
}, 120_000)

const sov = 'name domain mentions responsesWithMention sov previousSov sovDelta'
const compare = 'compare: previous_period'

const reports = (args: string) => `
  visibility(${args}, ${compare}) {
    summary { ${summaryFields} scoreChange } platforms { platform { slug } responses mentions citations }
    trend { date visibilityScore } comparison { previous { ${summaryFields} } deltas { visibilityScore } }
    industryRanking { entities { name: brand { name } mentions responseMentionRate: visibilityScore } } }
  visibilityHistory(${args}) { history { date visibilityScore totalMentions } }
  shareOfVoice(${args}, ${compare}) {
    totalMentions totalResponsesWithMention brand { ${sov} } competitors: nodes { ${sov} } }
  sentiment(${args}, ${compare}) { summary { ${toneFields} } comparison { previous { ${toneFields} } } }
  sentimentHistory(${args}) { history { date score positive neutral negative } }
  ads(${args}) { summary { measuredResponses responsesWithAds adRate } totalCount
    nodes { advertiser domain impressions } }
  advertisers(${args}) { totalCount nodes { advertiser domain impressions responses shareOfAds } }`

const urls = `{ totalCount nodes { url domain title rank usage totalResponses responsesWithUrl
  contentType citationType: sourceType brandMentioned hasContent periodGrowth } }`
const domain = `domain rank frequency avgCitations type totalCitations models pageCount usage
  avgCitationsPerResponse topContentTypes subdomains`
const lists = (args: string) => `
  brands(${args}) { nodes { brand { name } sentiment { ${toneFields} }
    visibility { visibilityScore totalResponses responsesWithMention mentions averagePosition citations } } }
  answers(${args}, first: 100) { totalCount nodes { promptText: prompt { text } platform { slug } collectedAt text position sentiment
    brandMentioned mentions { name: brand { name } rank } citations { url domain position } searchQueries } }`
const ofSlice = (args: string, kind: Kind) => `${lists(args)}
  citedUrls(${args}, first: 100) ${urls}
  sources(${args}, first: 100) { nodes { answers sourceDomain { ${domain} } } }
  ${kind === 'fanoutQuery' ? '' : `fanoutQueries(${args}, first: 100) { nodes { query count promptsCount } }`}`
const ofProject = (args: string) => `${lists(args)}
  citedUrls: sourceUrls(${args}, first: 100) ${urls}
  sources: sourceDomains(${args}, first: 100) { nodes { ${domain} } }`

/** What a project says, in the words of a slice. */
function asSlice({ sources, brands, ...rest }: Row): Row {
  const { nodes } = sources as { nodes: Row[] }
  const named = (brands as { nodes: { visibility: Row }[] }).nodes.filter(
    ({ visibility }) => visibility.responsesWithMention !== 0,
  )
  return {
    ...rest,
    brands: { nodes: named },
    sources: { nodes: nodes.map((row) => ({ answers: row.frequency, sourceDomain: row })) },
  }
}

const may = 'window: { from: "2025-04-01", to: "2025-06-10" }'

/** Where the objects of a kind are, and which field names them. */
const objects: Record<Kind, readonly [name: string, list: (fields: string) => string]> = {
  topic: ['name', (fields) => `topics { nodes { ${fields} } }`],
  prompt: ['text', (fields) => `prompts(first: 100) { nodes { ${fields} } }`],
  platform: ['slug', (fields) => `platforms { nodes { ${fields} } }`],
  location: ['city', (fields) => `locations { nodes { ${fields} } }`],
  page: ['url', (fields) => `pages(first: 100) { nodes { ${fields} } }`],
  brand: ['name', (fields) => `brands(${may}) { nodes { brand { ${fields} } } }`],
  sourceUrl: ['url', (fields) => `sourceUrls(${may}, first: 100) { nodes { ${fields} } }`],
  sourceDomain: ['domain', (fields) => `sourceDomains(${may}, first: 100) { nodes { ${fields} } }`],
  fanoutQuery: [
    'query',
    (fields) => `queryFanout(${may}, topQueriesLimit: 100) { topQueries { ${fields} } }`,
  ],
}

const withReports: readonly Kind[] = ['topic', 'prompt', 'platform', 'location', 'page']
const withPrompts: readonly Kind[] = ['brand', 'page', 'sourceUrl', 'sourceDomain', 'fanoutQuery']

/** The first list in a value, however deep. */
function rowsIn(value: unknown): Row[] {
  return Array.isArray(value) ? value : rowsIn(Object.values(value as Row)[0])
}

/** All objects of a kind by name. */
async function slices(kind: Kind, fields: string): Promise<Map<string, Row>> {
  const [name, list] = objects[kind]
  const text = `{ project(id: "${whole.id}") { ${list(`sliceName: ${name} ${fields}`)} } }`
  const { data } = await request(key, text)
  const rows = rowsIn(flat(data.project)).map((row) =>
    kind === 'brand' ? (row.brand as Row) : row,
  )
  return new Map(
    rows.map(({ sliceName, ...row }) => {
      const is = String(sliceName)
      return [kind === 'location' ? placeIn(is) : is.toLowerCase(), row]
    }),
  )
}

async function project({ id }: Loaded, fields: string): Promise<Row> {
  return flat((await request(key, `{ project(id: "${id}") { ${fields} } }`)).data.project as Row)
}

/** An answer without the fields that REST lists only with a single answer. */
const withoutNames = ({
  promptText: _text,
  mentions: _names,
  searchQueries: _queries,
  ...row
}: Row) => row

/** Each report at its REST path, in the shape of the graph's answer. */
async function restEquals({ id }: Loaded, query: string, found: Row, kind: Kind) {
  const get = async (path: string) => {
    const response = await api.get(`/api/mcp/projects/${id}/${path}`, key)
    expect([path, response.status]).toEqual([path, 200])
    return (await response.json()) as Row
  }
  const nodes = (name: string) => (found[name] as { nodes: Row[] }).nodes
  const compared = `${query}&compare=previous_period`
  const expected: Record<string, Row> = {
    [`answers?${query}&limit=100`]: { answers: nodes('answers').map(withoutNames) },
    [`sources/urls?${query}&limit=100`]: { urls: nodes('citedUrls') },
    [`sources/domains?${query}&limit=100`]: {
      sources: nodes('sources').map(({ sourceDomain }) => sourceDomain),
    },
    ...(withReports.includes(kind) && {
      [`visibility?${compared}&include=industryRanking`]: found.visibility as Row,
      [`visibility/history?${query}`]: found.visibilityHistory as Row,
      [`share-of-voice?${compared}`]: found.shareOfVoice as Row,
      [`sentiment?${compared}`]: found.sentiment as Row,
      [`sentiment/history?${query}`]: found.sentimentHistory as Row,
      [`ads?${query}`]: { summary: (found.ads as Row).summary, ads: nodes('ads') },
      [`ads/advertisers?${query}`]: { advertisers: nodes('advertisers') },
    }),
  }
  for (const [path, of] of Object.entries(expected))
    expect(await get(path)).toMatchObject(withoutFewRated(of))
}

/** REST publishes the scores of fewer than five rated answers, and GraphQL does not. */
function withoutFewRated(report: Row): Row {
  const isHidden = (name: string, value: unknown) =>
    value === null && (name === 'score' || name === 'netSentiment')
  return JSON.parse(
    JSON.stringify(report, (name, value) => (isHidden(name, value) ? undefined : value)),
  )
}

/** The filter that selects the answers of an object; undefined where no filter does. */
function filterOf(kind: Kind, name: string): Partial<Asked> | undefined {
  if (kind === 'topic') return { topics: [name] }
  if (kind === 'platform') return { platforms: [name] }
  return kind === 'location' ? { locations: [name] } : undefined
}

describe.each(names)('a %s', (kind) => {
  test('says in every field what a project with its answers alone says, at both doors', async () => {
    const one = fc.record({ asked, name: fc.constantFrom<string>(...kinds[kind].names) })
    await fc.assert(
      fc.asyncProperty(one, async ({ asked: of, name }) => {
        const twin = await twinOf(kind, name)
        const some = withReports.includes(kind) ? reports : () => ''
        const args = graphArgs(whole, of)
        const prompts = withPrompts.includes(kind)
          ? `prompts(${args}, first: 100) { nodes { answerCount prompt { text } } }`
          : ''
        const all = await slices(kind, `${some(args)} ${ofSlice(args, kind)} ${prompts}`)
        const {
          prompts: answered,
          fanoutQueries,
          ...found
        } = all.get(kind === 'location' ? name : name.toLowerCase()) ?? {}
        const ofTwin = graphArgs(twin, of)
        const alone = asSlice(await project(twin, `${some(ofTwin)} ${ofProject(ofTwin)}`))
        expect(found).toEqual(alone)
        await restEquals(twin, restQuery(twin, of), found, kind)
        const answers = (found.answers as { nodes: AnswerRow[] }).nodes
        if (fanoutQueries)
          expect(sorted(fanoutQueries, foldedQuery)).toEqual(sorted({ nodes: queriesIn(answers) }))
        if (answered) expect(sorted(answered)).toEqual(sorted({ nodes: promptsIn(answers) }))
        const own = filterOf(kind, name)
        // A filter of the slice's own kind narrows the slice: the project has no filter for both.
        if (
          own === undefined ||
          Object.keys(own).some((by) => of[by as 'topics' | 'platforms' | 'locations'].length > 0)
        )
          return
        const both = { ...of, ...own }
        const filtered = graphArgs(whole, both)
        expect(asSlice(await project(whole, `${some(filtered)} ${ofProject(filtered)}`))).toEqual(
          found,
        )
        await restEquals(whole, restQuery(whole, both), found, kind)
      }),
      { numRuns: sized({ normal: 1, soak: 3 }), endOnFailure: true },
    )
  })
})

interface AnswerRow {
  readonly promptText: string
  readonly searchQueries: readonly string[]
}

/** The prompts of some answers, with the number of answers of each. */
function promptsIn(answers: readonly AnswerRow[]): Row[] {
  const counts = Map.groupBy(answers, ({ promptText }) => promptText)
  return [...counts].map(([text, of]) => ({ answerCount: of.length, prompt: { text } }))
}

/** The sub-queries of some answers, with the number of searches and of prompts of each. */
function queriesIn(answers: readonly AnswerRow[]): Row[] {
  const all = answers.flatMap(({ promptText, searchQueries }) =>
    searchQueries.map((query) => ({ promptText, query: query.toLowerCase() })),
  )
  return [...Map.groupBy(all, ({ query }) => query)].map(([query, searches]) => ({
    query,
    count: searches.length,
    promptsCount: new Set(searches.map(({ promptText }) => promptText)).size,
  }))
}

const foldedQuery = (row: Row) => ({ ...row, query: String(row.query).toLowerCase() })

/** The rows of a list in an order of their own: equal counts have no order that two projects share. */
function sorted(list: unknown, change = (row: Row) => row): string[] {
  return (list as { nodes: Row[] }).nodes
    .map((row) => JSON.stringify(Object.entries(change(row)).sort()))
    .sort()
}
