import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { saying, useProviders } from '../kit/collecting/provider.ts'
import { startSmallSite } from '../kit/small-site.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

const site = await startSmallSite()
afterAll(() => void site.close())
const providers = await useProviders()

const allowed = `${site.allowed},${providers.hosts}`
const api = useApi({ ALLOW_PRIVATE_HOSTS: allowed }, undefined, {
  ownDatabase: true,
})
let workspace: TestWorkspace
let worker: TestWorker
let project = ''

beforeAll(async () => {
  workspace = await api.workspace()
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  site.pages.clear()
  site.requests.length = 0
  project = await workspace.project({ name: 'Shop', domain: 'shop.test' })
})

const read = `setup { step status problem pagesRead proposals {
  name description aliases topics competitors prompts { text topic page isTracked } } }`

async function asked(mutation: string) {
  const { key } = await workspace.key({ scopes: ['admin'] })
  const reply = await api.graphql(`mutation { ${mutation} }`, key)
  expect(await reply.json()).not.toHaveProperty('errors')
  await worker.idle()
  const after = await api.graphql(`{ project(id: "${project}") { ${read} } }`, key)
  const { data } = (await after.json()) as { data: { project: { setup: Record<string, unknown> } } }
  return data.project.setup
}

const html = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`

const propose = () => asked(`proposeSetup(projectId: "${project}") { changed }`)

describe('the site of a new project', () => {
  test('is read from its front page on, and proposes what the project lacks', async () => {
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /secret')
    site.pages.set(
      '/',
      html(
        '<title>Shop of things</title><meta property="og:site_name" content="Shop of Things">' +
          '<meta name="description" content="Things for rain.">',
        '<nav><a href="/rain-coats">Rain coats</a><a href="/secret">Secret coats</a><a href="/login">Log in</a></nav>',
      ),
    )
    site.pages.set(
      '/rain-coats',
      html('<title>Rain coats</title>', '<h2>Which coats keep rain out?</h2>'),
    )
    const setup = await propose()
    expect(setup).toMatchObject({ step: 'brand', status: 'completed', problem: null, pagesRead: 2 })
    expect(setup.proposals).toMatchObject({
      name: 'Shop of Things',
      description: 'Things for rain.',
      topics: ['Rain coats', 'Secret coats'],
    })
    const { prompts } = setup.proposals as { prompts: { text: string }[] }
    expect(prompts[0]).toEqual({
      text: 'Which coats keep rain out?',
      topic: 'Rain coats',
      page: '/rain-coats',
      isTracked: false,
    })
    expect(site.requests).toEqual(['/robots.txt', '/', '/rain-coats'])
  })

  test('says in plain words why it cannot be read', async () => {
    expect(await propose()).toMatchObject({
      status: 'failed',
      problem: 'shop.test could not be read. It answers with status 404.',
      proposals: null,
    })
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /')
    expect(await propose()).toMatchObject({
      problem: 'shop.test could not be read. Its robots.txt forbids programs to read it.',
    })
  })
})

test('a proposed prompt is marked once the project asks the same question', async () => {
  site.pages.set('/', html('<title>A</title>', '<h2>Which coats keep rain out?</h2>'))
  await propose()
  const added = `addPrompts(projectId: "${project}", prompts: [{ text: "which coats keep rain out" }]) { created }`
  const setup = await asked(added)
  expect(setup.proposals).toMatchObject({ prompts: [{ isTracked: true }, {}, {}, {}] })
})

test('the step is where somebody left off', async () => {
  expect(
    await asked(`setSetupStep(projectId: "${project}", step: prompts) { changed }`),
  ).toMatchObject({
    step: 'prompts',
    status: null,
    proposals: null,
  })
})

test('a model proposes prompts for what its answer costs, and one that writes none says so', async () => {
  const { key } = await workspace.key({ scopes: ['admin'] })
  const reply = await api.graphql(
    `mutation { setProviderKey(workspaceId: "${workspace.id}", provider: perplexity, secret: "sk-1234567890", baseUrl: "${providers.baseUrl('perplexity')}") { providerKey { id } } }`,
    key,
  )
  const { data } = (await reply.json()) as {
    data: { setProviderKey: { providerKey: { id: string } } }
  }
  const { id } = data.setProviderKey.providerKey
  const ask = `proposeSetup(projectId: "${project}", providerKeyId: "${id}") { changed }`
  providers.next(
    saying(
      'Here: {"prompts":[{"text":"Which coats keep rain out?","topic":"Coats","intent":"commercial"},{"text":"Is Shop good?"}]}',
    ),
  )
  expect(await asked(ask)).toMatchObject({
    status: 'completed',
    problem: null,
    proposals: {
      topics: ['Coats'],
      prompts: [
        { text: 'Which coats keep rain out?', topic: 'Coats', page: null, isTracked: false },
        { text: 'Is Shop good?', topic: null, page: null, isTracked: false },
      ],
    },
  })
  expect(await api.db.proposalCost.count({ where: { projectId: project } })).toBe(1)
  providers.next(saying('I would rather not.'))
  expect(await asked(ask)).toMatchObject({
    status: 'failed',
    problem: 'The model answered without a list of prompts. Ask it once more.',
    // Those of before stay.
    proposals: { topics: ['Coats'] },
  })
  expect(await api.db.proposalCost.count({ where: { projectId: project } })).toBe(2)
})
