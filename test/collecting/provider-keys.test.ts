import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { openSecret, sealSecret } from '../../core/collecting/providers/sealed.ts'
import { openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import { signingSecret, type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { refusing, sending, useProviders } from '../kit/collecting/provider.ts'

const providers = await useProviders()
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, log)
const secret = 'sk-very-secret-0123456789'

let workspace: TestWorkspace
let admin = { id: '', key: '' }
const ask = asking(api, () => admin.key)

beforeEach(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
  providers.next()
})

const set = (args: string, as?: string) =>
  ask(
    `mutation { setProviderKey(workspaceId: "${workspace.id}", ${args}) { providerKey { id provider label baseUrl model } } }`,
    as,
  )

const openAi = (more = '') =>
  set(`provider: openai, secret: "${secret}", baseUrl: "${providers.baseUrl('openai')}/"${more}`)

async function listed(): Promise<{ id: string }[]> {
  const text = `{ workspace(id: "${workspace.id}") { providerKeys { nodes { id provider label baseUrl model } } } }`
  const { workspace: found } = (await ask(text)).data
  return (found as unknown as { providerKeys: { nodes: { id: string }[] } }).providerKeys.nodes
}

const trail = () =>
  api.db.auditEntry.findMany({
    where: { workspaceId: workspace.id, subjectType: 'providerKey' },
    orderBy: { id: 'asc' },
  })

describe('a provider key', () => {
  test('is tested by one call, stored encrypted, and shown without its secret', async () => {
    providers.questions.length = 0
    const answer = await openAi()
    const shown = {
      id: expect.any(String),
      provider: 'openai',
      label: 'openai',
      baseUrl: providers.baseUrl('openai'),
      model: null,
    }
    expect(answer.data.setProviderKey).toEqual({ providerKey: shown })
    expect(await listed()).toEqual([shown])
    expect(providers.questions).toHaveLength(1)
    expect(providers.questions[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    const rows = await api.db.providerKey.findMany({ where: { workspaceId: workspace.id } })
    const kept = Buffer.concat(rows.map(({ sealed }) => Buffer.from(sealed)))
    expect(kept.includes(secret)).toBe(false)
    const [entry] = await trail()
    expect(entry).toMatchObject({ action: 'providerKey.add', keyId: admin.id, before: null })
    const said = JSON.stringify([answer, entry?.after, lines])
    expect(said).not.toContain(secret)
    expect(await openProviderKey(api.db, rows[0]?.id ?? '', [signingSecret])).toEqual({
      provider: 'openai',
      secret,
      model: 'gpt-5-mini',
      baseUrl: providers.baseUrl('openai'),
    })
  })

  test('of the same label is replaced, also by one of another provider', async () => {
    const [first] = [await openAi(', label: "Main"'), await openAi(', label: "Other"')]
    const baseUrl = providers.baseUrl('compatible')
    const second = await set(
      `provider: compatible, secret: "${secret}", baseUrl: "${baseUrl}", model: "m", label: "Main"`,
    )
    const idOf = (answer: typeof first) =>
      (answer.data.setProviderKey as { providerKey: { id: string } }).providerKey.id
    expect(idOf(second)).toBe(idOf(first))
    expect(await listed()).toMatchObject([
      { label: 'Other', provider: 'openai' },
      { label: 'Main', provider: 'compatible', model: 'm' },
    ])
    expect((await trail()).map(({ action }) => action)).toEqual([
      'providerKey.add',
      'providerKey.add',
      'providerKey.replace',
    ])
  })

  test.each([
    [401, 'invalid_argument secret'],
    [404, 'invalid_argument model'],
    [500, 'invalid_argument secret'],
  ])('that the provider answers with %i is not stored', async (status, fault) => {
    providers.next(refusing(status))
    const answer = await openAi()
    expect(faultIn(answer)).toBe(fault)
    expect(JSON.stringify([answer, lines])).not.toContain(secret)
    expect(await listed()).toEqual([])
  })

  test.each([
    ['secret', 400, { code: 'Client specified an invalid argument', error: 'Incorrect API key.' }],
    ['secret', 400, { error: { message: 'Your credit balance is too low.' } }],
    ['secret', 429, { error: { message: 'No quota.', type: 'insufficient_quota' } }],
    ['model', 404, { error: { message: 'No endpoints found for x.', code: 404 } }],
    ['baseUrl', 404, { detail: 'Not Found' }],
  ])(
    'is refused with the words of the provider about its %s: %i %j',
    async (field, status, body) => {
      providers.next(sending(JSON.stringify(body), status))
      const answer = await openAi()
      expect(faultIn(answer)).toBe(`invalid_argument ${field}`)
      const { error, detail } = body as { error?: string | { message: string }; detail?: string }
      const words = typeof error === 'string' ? error : (error?.message ?? detail)
      expect(JSON.stringify(answer)).toContain(words)
    },
  )

  test('needs a usable secret and address; `compatible` needs address and model too', async () => {
    const refusals = [
      ['provider: openai, secret: "a b"', 'secret'],
      [`provider: openai, secret: "${secret}", baseUrl: "http://127.0.0.1:1"`, 'baseUrl'],
      [`provider: openai, secret: "${secret}", baseUrl: "https://u:p@example.com"`, 'baseUrl'],
      [`provider: compatible, secret: "${secret}", model: "m"`, 'baseUrl'],
      [`provider: compatible, secret: "${secret}", baseUrl: "https://example.com"`, 'model'],
    ]
    for (const [args = '', field] of refusals) {
      expect(faultIn(await set(args))).toBe(`invalid_argument ${field}`)
    }
  })

  test('goes with its secret, once, and only within its workspace', async () => {
    await openAi()
    const [key] = await listed()
    const remove = (of: string) =>
      ask(
        `mutation { removeProviderKey(workspaceId: "${of}", keyId: "${key?.id}") { subjectId changed } }`,
      )
    expect(faultIn(await remove((await api.workspace()).id))).not.toBe('none')
    expect((await remove(workspace.id)).data.removeProviderKey).toMatchObject({ changed: true })
    expect(faultIn(await remove(workspace.id))).toBe('not_found')
    expect(await openProviderKey(api.db, key?.id ?? '', [signingSecret])).toBeNull()
  })

  test('is tested again when someone asks, and says in a sentence what is wrong', async () => {
    await openAi()
    const [key] = await listed()
    const again = async () =>
      (
        await ask(
          `mutation { testProviderKey(workspaceId: "${workspace.id}", keyId: "${key?.id}") { testProblem providerKey { refusal } } }`,
        )
      ).data.testProviderKey
    providers.next(refusing(401), refusing(500))
    const testProblem = 'OpenAI refused this key: “Wrong: Bearer ***”.'
    expect(await again()).toEqual({ testProblem, providerKey: { refusal: testProblem } })
    // A provider that is down says nothing about the key.
    expect(await again()).toEqual({
      testProblem: 'OpenAI had a problem of its own: “Wrong: Bearer ***”.',
      providerKey: { refusal: testProblem },
    })
    expect(await again()).toEqual({ testProblem: null, providerKey: { refusal: null } })
  })

  test('lists the models of its provider, or those that are known', async () => {
    const models = async (args: string) =>
      (
        await ask(
          `mutation { listProviderModels(workspaceId: "${workspace.id}", ${args}) { models isListed } }`,
        )
      ).data.listProviderModels
    const at = `provider: openai, secret: "${secret}", baseUrl: "${providers.baseUrl('openai')}"`
    const body = { data: ['gpt-10', 'gpt-9', 'text-embedding-3'].map((id) => ({ id })) }
    providers.next(sending(JSON.stringify(body)), refusing(401))
    expect(await models(at)).toEqual({ models: ['gpt-10', 'gpt-9'], isListed: true })
    expect(await models(at)).toMatchObject({
      models: expect.arrayContaining(['gpt-5-mini']),
      isListed: false,
    })
    const surfaces = { models: ['ai_overviews', 'ai_mode'], isListed: false }
    expect(await models('provider: serpapi')).toEqual(surfaces)
  })

  test('is set and listed by `admin` alone', async () => {
    const { key } = await workspace.key({ scopes: ['read', 'write'] })
    expect(faultIn(await set(`provider: openai, secret: "${secret}"`, key))).toBe('missing_scope')
  })
})

describe('a sealed secret', () => {
  test('opens with the signing secret that sealed it, at its own place, unchanged', () => {
    const sealed = sealSecret('new', 'place', secret)
    expect(openSecret(['new', 'old'], 'place', sealed)).toEqual({ text: secret, isOld: false })
    expect(openSecret(['other'], 'place', sealed)).toBeNull()
    expect(openSecret(['new'], 'elsewhere', sealed)).toBeNull()
    for (const at of [0, 15, sealed.length - 1]) {
      const changed = sealed.with(at, (sealed[at] ?? 0) ^ 1)
      expect(openSecret(['new'], 'place', changed)).toBeNull()
    }
    expect(Buffer.from(sealSecret('new', 'place', secret)).equals(sealed)).toBe(false)
  })

  test('of an older signing secret is sealed with the newest when it is opened', async () => {
    await openAi()
    const [key] = await listed()
    const id = key?.id ?? ''
    const opened = await openProviderKey(api.db, id, ['newer', signingSecret])
    expect(opened?.secret).toBe(secret)
    expect((await openProviderKey(api.db, id, ['newer']))?.secret).toBe(secret)
    expect(await openProviderKey(api.db, id, [signingSecret])).toBeNull()
  })
})
