import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { flat } from '../kit/graphql/flat.ts'
import { collected } from './ways.ts'

const api = useApi()
let key = ''
let project = ''
let empty = ''
const ask = asking(api, () => key)
const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

const acme = { text: 'Acme is great, and Rival too.' }
const rival = { text: 'Rival is best. Acme follows.' }
const cites = (...hosts: string[]) => ({
  citations: hosts.map((host) => ({ url: `https://${host}/page` })),
})
const day = (of: number) => ({ collectedAt: `2025-05-0${of}T08:00:00Z` })
const surface = { platform: 'chatgpt_surface' }

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  project = await workspace.project()
  empty = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  await api.db.competitor.create({
    data: { projectId: project, name: 'Rival', domain: 'rival.com' },
  })
  await collected(api, project, [
    { ...day(1), ...acme, ...cites('a.example', 'b.example') },
    { ...day(1), ...acme, ...surface, ...cites('b.example') },
    { ...day(2), ...acme, prompt: 'best bolts?' },
    { ...day(2), ...rival, ...surface, prompt: 'best bolts?' },
    { ...day(2), ...surface, prompt: 'best bolts?', run: 2 },
    // Only one of the ways was asked on these days.
    { ...day(3), ...acme },
    { ...day(4), ...acme, ...surface },
  ])
  await workspace.load(project, [{ ...day(1), prompt: 'best anvils?', run: 7, text: 'Nothing.' }])
})

const share = 'value questionCount'
const asked = (of = project, more = '') =>
  ask(`{ project(id: "${of}") { agreement(${window}${more}) {
    ways { obtained answerCount }
    pairs { platform { slug } first second promptCount questionCount firstVisibility secondVisibility
      difference { low high } mentions { ${share} low high } firstPlaces { ${share} } domains { ${share} } }
  } } }`)

describe('the agreement of a project', () => {
  test('compares answers to one prompt on one day by how they were obtained', async () => {
    const found = await asked()
    expect(found.errors).toBeUndefined()
    const project = found.data.project as unknown as { agreement: Record<string, object[]> }
    const { ways, pairs = [] } = project.agreement
    expect(ways).toEqual([
      { obtained: 'surface', answerCount: 4 },
      { obtained: 'api', answerCount: 3 },
      { obtained: 'imported', answerCount: 1 },
    ])
    expect(flat(pairs)).toMatchObject([
      {
        platform: 'chatgpt',
        first: 'surface',
        second: 'api',
        promptCount: 2,
        questionCount: 2,
        // Anvils: 1 of 1. Bolts: 1 of 2.
        firstVisibility: 75,
        secondVisibility: 100,
        difference: null,
        mentions: { value: 75, questionCount: 2 },
        // Anvils agree. For bolts one page has Rival first, and the other no brand.
        firstPlaces: { value: 50, questionCount: 2 },
        domains: { value: 50, questionCount: 1 },
      },
      { first: 'surface', second: 'imported', questionCount: 1, mentions: { value: 0 } },
      { first: 'api', second: 'imported', questionCount: 1, mentions: { value: 0 } },
      { first: 'surface', second: 'surface', questionCount: 1, mentions: { value: 0 } },
    ])
  })

  test('follows the filters, and has no pairs where one way is left', async () => {
    const pages = await asked(project, ', filter: { obtained: [surface] }')
    expect(pages.data.project?.agreement).toEqual({
      ways: [{ obtained: 'surface', answerCount: 4 }],
      pairs: [],
    })
    const two = await asked(project, ', filter: { obtained: [surface, api] }')
    expect(two.data.project?.agreement).toMatchObject({ pairs: { length: 2 } })
    expect((await asked(empty)).data.project?.agreement).toEqual({ ways: [], pairs: [] })
  })
})
