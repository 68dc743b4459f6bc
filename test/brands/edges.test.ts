import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { type List, listAsker, makeNeighbours, pageOf, window } from '../kit/graphql/neighbours.ts'
import { graphRequests } from '../kit/graphql/requests.ts'

const api = useApi()
const request = graphRequests(api)

let key = ''
let small = ''
let large = ''
const many = 8

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  small = await makeNeighbours(api, workspace, 1)
  large = await makeNeighbours(api, workspace, many)
})

const named = `brands(${window}) { nodes { brand { name } visibility { responsesWithMention: mentionedIn visibilityScore }
  sentiment { positive } } }`
const ofBrand = `visibility(${window}) { visibilityScore citations: citationCount } sentiment(${window}) { positive }`

const ask = listAsker(request, () => key)

const score = (value: number) => ({ responsesWithMention: 1, visibilityScore: value })
const both = (n: number) => ({
  nodes: [
    { brand: { name: 'Acme' }, visibility: score(100), sentiment: { positive: 1 } },
    { brand: { name: `Rivalco${n}` }, visibility: score(100), sentiment: { positive: 0 } },
  ],
})

test('an object shows the brands that its own answers name', async () => {
  const name = async (list: List, of: string, value: string) => {
    const { rows } = await ask(large, list, `${of} ${named}`)
    return rows.find((row) => row[of] === value)?.brands
  }
  expect(await name('topics', 'name', 'Topic 7')).toEqual(both(7))
  expect(await name('prompts', 'text', 'Question 7?')).toEqual(both(7))
  expect(await name('pages', 'url', pageOf(7))).toEqual(both(7))
  expect(await name('sourceUrls', 'url', 'https://site-7.com/')).toEqual(both(7))
  expect(await name('sourceDomains', 'domain', 'site-7.com')).toEqual(both(7))
  expect(await name('competitors', 'name', 'Rivalco7')).toEqual(both(7))
})

test('a competitor has the numbers of the whole project', async () => {
  const fields = `name visibility(${window}) { visibilityScore totalResponses: answerCount responsesWithMention: mentionedIn mentions: mentionCount
    averagePosition citations: citationCount } sentiment(${window}) { positive neutral negative }`
  const expected = {
    name: 'Rivalco7',
    visibility: {
      visibilityScore: 12.5,
      totalResponses: 8,
      responsesWithMention: 1,
      mentions: 1,
      averagePosition: 2,
      citations: 0,
    },
    sentiment: { positive: 0, neutral: 0, negative: 0 },
  }
  const { rows: listed } = await ask(large, 'competitors', fields)
  expect(listed.find(({ name }) => name === 'Rivalco7')).toEqual(expected)
})

test('the own brand is a brand as its competitors are', async () => {
  const { data } = await request(
    key,
    `{ project(id: "${small}") {
         ownBrand { id name domain isOwn ${ofBrand} leadingTopics(${window}) { nodes { name } } }
         brands(${window}) { nodes { brand { __typename name } visibility { citations: citationCount } } } } }`,
  )
  expect(data.project).toEqual({
    ownBrand: {
      id: small,
      name: 'Acme',
      domain: 'acme.com',
      isOwn: true,
      visibility: { visibilityScore: 100, citations: 1 },
      sentiment: { positive: 1 },
      // Both brands are named by the one answer: nobody leads.
      leadingTopics: { nodes: [] },
    },
    brands: {
      nodes: [
        { brand: { __typename: 'OwnBrand', name: 'Acme' }, visibility: { citations: 1 } },
        {
          brand: { __typename: 'Competitor', name: 'Rivalco1' },
          visibility: { citations: 0 },
        },
      ],
    },
  })
})

test('an answer leads to its platform, location, brands and own pages', async () => {
  const { rows } = await ask(
    small,
    'answers',
    `platform { displayName } location { city } mentions { brand { name isOwn } }
     citations { page { url } }`,
  )
  expect(rows).toEqual([
    {
      platform: { displayName: 'ChatGPT' },
      location: { city: 'Berlin' },
      mentions: [
        { brand: { name: 'Acme', isOwn: true } },
        { brand: { name: 'Rivalco1', isOwn: false } },
      ],
      citations: [{ page: { url: pageOf(1) } }, { page: null }],
    },
  ])
})
