import fc from 'fast-check'
import type { TestApi, TestWorkspace } from '../api.ts'
import { kinds, namesOnly, type slicedLines } from './slice-lines.ts'

type Ids = Readonly<Record<'topics' | 'locations' | 'competitors', ReadonlyMap<string, string>>>

export interface Loaded {
  readonly id: string
  readonly ids: Ids
}

/** A project that has loaded these answers, and knows all names. */
export async function loadSliced(
  api: TestApi,
  workspace: TestWorkspace,
  lines: typeof slicedLines,
) {
  const id = await workspace.project({
    competitors: [
      { name: 'Bose', domain: 'site1.com' },
      { name: 'JBL', domain: 'jbl.com' },
    ],
  })
  const given = lines.map(({ topics: _topics, place: _place, urls: _urls, ...line }) => line)
  const { loaded } = await workspace.load(id, [...namesOnly, ...given])
  if (loaded !== namesOnly.length + lines.length)
    throw new Error(`only ${loaded} answers were loaded`)
  const urls = kinds.page.names.map((url) => ({ url, slug: url.slice(17) }))
  const empty = { projectId: id, type: 'other', title: '', description: '' }
  await api.db.page.createMany({ data: urls.map((row) => ({ ...row, ...empty })) })
  const where = { projectId: id }
  const [topics, locations, competitors] = await Promise.all([
    api.db.topic.findMany({ where }),
    api.db.location.findMany({ where }),
    api.db.competitor.findMany({ where }),
  ])
  const byName = (rows: readonly { id: string; name: string }[]) =>
    new Map(rows.map((row) => [row.name, row.id]))
  const places = locations.map(({ id: of, city }) => ({ id: of, name: placeIn(city ?? '') }))
  const ids = {
    topics: byName(topics),
    locations: byName(places),
    competitors: byName(competitors),
  }
  return { id, ids }
}

export const placeIn = (city: string) =>
  city === 'Berlin' ? 'Berlin, Germany' : 'Austin, Texas, US'

export interface Asked {
  readonly from: string
  readonly to: string
  readonly platforms: readonly string[]
  readonly topics: readonly string[]
  readonly countries: readonly string[]
  readonly locations: readonly string[]
  readonly branded: boolean | undefined
}

const dayOf = (n: number) => new Date(Date.UTC(2025, 3, n)).toISOString().slice(0, 10)

export const asked: fc.Arbitrary<Asked> = fc
  .record({
    start: fc.integer({ min: 1, max: 50 }),
    days: fc.integer({ min: 1, max: 45 }),
    platforms: fc.subarray(['ChatGPT', 'perplexity', 'gemini'], { maxLength: 2 }),
    topics: fc.oneof(fc.constant([]), fc.subarray(['T0', 'T1'])),
    countries: fc.oneof(fc.constant([]), fc.subarray(['DE', 'United States'])),
    locations: fc.oneof(fc.constant([]), fc.subarray(['Berlin, Germany', 'Austin, Texas, US'])),
    branded: fc.constantFrom(undefined, undefined, true, false),
  })
  .map(({ start, days, ...filters }) => ({
    ...filters,
    from: dayOf(start),
    to: dayOf(start + days),
  }))

const idsIn = (ids: ReadonlyMap<string, string>, of: readonly string[]) =>
  of.map((name) => ids.get(name) ?? name)

/** The window and the filters in GraphQL. */
export function graphArgs({ ids }: Loaded, { from, to, branded, ...lists }: Asked): string {
  const filter = {
    platforms: lists.platforms,
    topicIds: idsIn(ids.topics, lists.topics),
    countries: lists.countries,
    locationIds: idsIn(ids.locations, lists.locations),
  }
  const given = Object.entries(filter).filter(([, values]) => values.length > 0)
  const fields = [
    ...given.map(([name, values]) => `${name}: ${JSON.stringify(values)}`),
    ...(branded === undefined ? [] : [`branded: ${branded}`]),
  ]
  return `window: { from: "${from}", to: "${to}" }, filter: { ${fields.join(', ')} }`
}

/** The same in REST. */
export function restQuery({ ids }: Loaded, { from, to, branded, ...lists }: Asked): string {
  const query = new URLSearchParams({ from, to })
  const add = (name: string, values: readonly string[]) => {
    if (values.length > 0) query.set(name, values.join(','))
  }
  add('platform', lists.platforms)
  add('topicId', idsIn(ids.topics, lists.topics))
  add('country', lists.countries)
  add('locationId', idsIn(ids.locations, lists.locations))
  if (branded !== undefined) query.set(branded ? 'branded' : 'unbranded', 'true')
  return String(query)
}

export const summaryFields = `visibilityScore averagePosition totalResponses responsesWithBrand
  totalMentions totalCitations totalSources`
export const toneFields = 'score positive neutral negative netSentiment totalMentions: rated'
