import { beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'

/** What an answer says about itself: fields that were answered otherwise than they were asked. */

const api = useApi()
let key = ''
let project = ''
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  project = await workspace.project()
  key = (await workspace.key()).key
  for (const name of ['Shoes', 'Boots'])
    await api.db.topic.create({ data: { projectId: project, name } })
})

async function ask(selection: string) {
  const response = await api.graphql(`{ project(id: "${project}") { ${selection} } }`, key)
  const { errors, extensions } = await response.json()
  return { errors, extensions }
}

test('a window and a page that are cut are said once for all rows of a list, also from memory', async () => {
  const selection = `all: topics(first: 5000) { nodes {
    visibility(window: { days: 400 }) { summary { answerCount } } } }`
  const notices = [
    {
      code: 'clamped',
      path: ['project', 'all'],
      message: '`first` is 5000, and the field takes at most 1000: it used 1000.',
    },
    {
      code: 'clamped',
      path: ['project', 'all', 'nodes', 'visibility'],
      message: '`window.days` is 400, and the field takes at most 365: it used 365.',
    },
  ]
  // The second is compiled or kept, the third is kept.
  for (let i = 0; i < 3; i++) {
    expect(await ask(selection)).toEqual({ errors: undefined, extensions: { notices } })
  }
})

test('a window that a field takes from its parent and cuts is said too', async () => {
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
  await workspace.load(project, [
    { text: 'Acme.', collectedAt: yesterday, citations: [{ url: 'https://a.example/' }] },
  ])
  const sources = (days: number) =>
    `sourceDomains(window: { days: ${days} }) { nodes { fanoutQueries { totalCount } } }`
  const path = ['project', 'sourceDomains', 'nodes', 'fanoutQueries']
  const message =
    '`window` is that of the domain, of 365 days, and the field takes at most 180: it used the last 180.'
  const cut = { code: 'clamped', path, message }
  expect(await ask(sources(365))).toEqual({ errors: undefined, extensions: { notices: [cut] } })
  expect(await ask(sources(180))).toEqual({ errors: undefined, extensions: undefined })
})

test('an answer to what was asked says nothing', async () => {
  expect(await ask('topics(first: 1000) { totalCount } usage { plan }')).toEqual({
    errors: undefined,
    extensions: undefined,
  })
})
