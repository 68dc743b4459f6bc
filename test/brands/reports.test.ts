import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import { slicedLines } from '../kit/graphql/slice-lines.ts'
import {
  asked,
  graphArgs,
  type Loaded,
  loadSliced,
  restQuery,
  summaryFields,
  toneFields,
} from '../kit/graphql/slice-projects.ts'

const api = useApi()
const request = graphRequests(api)

type Row = Record<string, unknown>

let key = ''
let whole: Loaded

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  whole = await loadSliced(api, workspace, slicedLines)
})

const brandFields = 'visibilityScore responsesWithMention mentions averagePosition citations'

test('a brand has the numbers of each report that names the brand, at both doors', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (of) => {
      const args = graphArgs(whole, of)
      const query = restQuery(whole, of)
      const numbersAsked = `name visibility(${args}) { totalResponses ${brandFields} } sentiment(${args}) { ${toneFields} }`
      const { ownBrand, competitors, ...found } = await numbersOf(
        `ownBrand { ${numbersAsked} } competitors { nodes { id ${numbersAsked} leadingTopics(${args}) { nodes { name } } } }
         topics { nodes { name brands(${args}) { nodes { brand { name } visibility { responsesWithMention } } } } }
         visibility(${args}) { summary { ${summaryFields} } }
         shareOfVoice(${args}) { brand { name mentions } competitors: nodes { name mentions } }
         sentiment(${args}) { summary { ${toneFields} } }
         sentimentByCompetitor(${args}) { competitors: nodes { name score positive neutral negative } }`,
      )
      const own = ownBrand as BrandRow
      const rivals = (competitors as { nodes: readonly BrandRow[] }).nodes
      const { summary: total } = found.visibility as { summary: Row }
      expect(own.visibility).toMatchObject({
        visibilityScore: total.visibilityScore,
        totalResponses: total.totalResponses,
        responsesWithMention: total.responsesWithBrand,
        mentions: total.totalMentions,
        averagePosition: total.averagePosition,
      })
      expect(own.sentiment).toEqual((found.sentiment as Row).summary)
      const voice = found.shareOfVoice as { brand: Row; competitors: Row[] }
      expect(byName([voice.brand, ...voice.competitors])).toEqual(
        byName(
          [own, ...rivals].map(({ name, visibility }) => ({ name, mentions: visibility.mentions })),
        ),
      )
      const listed: Row[] = rivals.map(
        ({ name, visibility: { totalResponses: _all, ...rest } }) => {
          return { name, ...rest }
        },
      )
      const toneOf = rivals.map(({ name, sentiment: { score, positive, neutral, negative } }) => {
        return { name, score, positive, neutral, negative }
      })
      const { competitors: tonesOfAll } = found.sentimentByCompetitor as { competitors: Row[] }
      expect(byName(tonesOfAll)).toEqual(byName(toneOf))
      for (const { id, name, leadingTopics } of rivals) {
        const rest = await api.get(`/api/mcp/projects/${whole.id}/competitors/${id}?${query}`, key)
        const { visibilityScore, ...numbers } = listed.find((row) => row.name === name) ?? {}
        const competitor = { ...numbers, responseMentionRate: visibilityScore }
        expect(await rest.json()).toMatchObject({ competitor })
        const led = (found.topics as { nodes: TopicRow[] }).nodes.filter(
          (topic) => leaderOf(topic) === name,
        )
        expect(leadingTopics).toEqual({ nodes: led.map((topic) => ({ name: topic.name })) })
      }
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

async function numbersOf(fields: string): Promise<Row> {
  const { data } = await request(key, `{ project(id: "${whole.id}") { ${fields} } }`)
  return data.project as Row
}

interface BrandRow {
  readonly id: string
  readonly name: string
  readonly visibility: Row
  readonly sentiment: Row
  readonly leadingTopics: { readonly nodes: readonly Row[] }
}

interface TopicRow {
  readonly name: string
  readonly brands: {
    readonly nodes: readonly {
      readonly brand: { readonly name: string }
      readonly visibility: { readonly responsesWithMention: number }
    }[]
  }
}

const byName = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))

/** The brand that more answers of a topic name than any other brand. */
function leaderOf({ brands }: TopicRow): string | undefined {
  const { nodes } = brands
  const counts = nodes.map(({ visibility }) => visibility.responsesWithMention)
  const most = nodes.filter(
    ({ visibility }) => visibility.responsesWithMention === Math.max(...counts),
  )
  return most.length === 1 ? most[0]?.brand.name : undefined
}
