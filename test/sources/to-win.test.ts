import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
let other = ''
const ask = asking(api, () => key)

/** Acme is the own brand. Three of five answers mention a competitor and not Acme: three lost answers. */
const answers = [
  ['p1', 'Rival.', ['https://www.reddit.com/r/a', 'https://rival.com/x']],
  ['p1', 'Rival or Other.', ['https://www.reddit.com/r/a', 'https://blog.com/b']],
  ['p2', 'Other.', ['https://www.reddit.com/r/c']],
  ['p2', 'Acme or Rival.', ['https://blog.com/b', 'https://acme.com/']],
  ['p2', 'Nobody.', ['https://news.com/']],
] as const

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({
    competitors: [
      { name: 'Rival', domain: 'rival.com' },
      { name: 'Other', domain: 'other.com' },
    ],
  })
  await workspace.load(
    project,
    answers.map(([prompt, text, urls], i) => ({
      prompt,
      text,
      platform: i === 0 ? 'chatgpt' : 'perplexity',
      collectedAt: `2025-05-1${i}T08:00:00Z`,
      citations: urls.map((url) => ({ url })),
    })),
  )
  const where = { projectId: project, name: 'Other' }
  other = (await api.db.competitor.findFirstOrThrow({ where })).id
})

const may = 'window: { from: "2025-05-01", to: "2025-05-31" }'

async function toWin(list: 'domainsToWin' | 'urlsToWin', args: string, row: string) {
  const { data, errors } = await ask(
    `{ project(id: "${project}") { list: ${list}(${may} ${args}) { totalCount nodes { ${row} } } } }`,
  )
  expect(errors).toBeUndefined()
  return data.project?.list
}

const numbers = 'lostAnswerCount promptCount ownAnswerCount'

test('domains to win are those of lost answers, with the competitors that they mention', async () => {
  const row = `domain url type ${numbers} competitors { brand { name } answerCount }
    sourceDomain { answers: citedIn } lostAnswers { totalCount nodes { text } }`
  const named = (name: string, answerCount: number) => ({ brand: { name }, answerCount })
  expect(await toWin('domainsToWin', '', row)).toEqual({
    totalCount: 2,
    nodes: [
      {
        domain: 'reddit.com',
        url: null,
        type: 'forum',
        lostAnswerCount: 3,
        promptCount: 2,
        ownAnswerCount: 0,
        competitors: [named('Other', 2), named('Rival', 2)],
        sourceDomain: { answers: 3 },
        lostAnswers: {
          totalCount: 3,
          nodes: [{ text: 'Other.' }, { text: 'Rival or Other.' }, { text: 'Rival.' }],
        },
      },
      {
        domain: 'blog.com',
        url: null,
        type: 'other',
        lostAnswerCount: 1,
        promptCount: 1,
        ownAnswerCount: 1,
        competitors: [named('Other', 1), named('Rival', 1)],
        sourceDomain: { answers: 2 },
        lostAnswers: { totalCount: 1, nodes: [{ text: 'Rival or Other.' }] },
      },
    ],
  })
})

test('URLs to win are narrowed by AI platform, competitor, source type and domain', async () => {
  const row = `url ${numbers} sourceUrl { domain }`
  const ofReddit = (path: string, lost: number) => ({
    url: `https://www.reddit.com/r/${path}`,
    lostAnswerCount: lost,
    promptCount: 1,
    ownAnswerCount: 0,
    sourceUrl: { domain: 'reddit.com' },
  })
  expect(await toWin('urlsToWin', 'filter: { domains: ["reddit.com"] }', row)).toEqual({
    totalCount: 2,
    nodes: [ofReddit('a', 2), ofReddit('c', 1)],
  })
  expect(await toWin('urlsToWin', 'filter: { platforms: ["chatgpt"] }', row)).toEqual({
    totalCount: 1,
    nodes: [ofReddit('a', 1)],
  })
  const { nodes } = (await toWin(
    'urlsToWin',
    `filter: { competitorIds: ["${other}"], sourceTypes: [other] }`,
    'url lostAnswers { nodes { text } }',
  )) as { nodes: unknown }
  expect(nodes).toEqual([
    { url: 'https://blog.com/b', lostAnswers: { nodes: [{ text: 'Rival or Other.' }] } },
  ])
})

test('sources of most prompts come first where asked, a page at a time', async () => {
  expect(await toWin('domainsToWin', 'sort: prompts_desc, first: 1', 'domain')).toEqual({
    totalCount: 2,
    nodes: [{ domain: 'reddit.com' }],
  })
})

test('a text that is no domain is refused, and the field is named', async () => {
  const { errors } = await ask(
    `{ project(id: "${project}") { domainsToWin(filter: { domains: ["not a domain"] }) { totalCount } } }`,
  )
  expect(errors?.map(({ message }) => message)).toEqual([
    '`filter.domains` must be domains, such as `example.com`; got `not a domain`.',
  ])
})
