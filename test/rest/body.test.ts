import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer, problemIn } from '../kit/changes.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'
import {
  mutationOf,
  type PromptPlace,
  type PromptWriteName,
  pathsOf,
  promptWriteNames,
  promptWrites,
} from '../kit/rest/prompt-writes.ts'
import { sendWrite, tellOf, type Write } from '../kit/rest/writes.ts'
import { sampled, sized } from '../kit/soak.ts'

/** Every bad body, on every write of prompts and its alias: refused with the name of the field, and nothing written. */

const api = useApi()

let place: PromptPlace
let key = ''
let workspace: Awaited<ReturnType<typeof api.workspace>>

beforeAll(async () => {
  workspace = await api.workspace('growth')
  const projectId = await workspace.project()
  const data = { projectId, text: 'as it was', revisions: { create: [] } }
  place = { projectId, promptId: (await api.db.prompt.create({ data })).id }
})

// A rate of its own for each test.
beforeEach(async () => {
  key = (await workspace.key({ capabilities: ['prompt:draft'] })).key
})

/** Everything that a write of prompts could have written. */
async function written() {
  const where = { projectId: place.projectId }
  return [
    await api.db.prompt.findMany({ where, orderBy: { id: 'asc' } }),
    await api.db.promptRevision.count({ where }),
    await api.db.promptTopic.count({ where: { prompt: where } }),
    await api.db.auditEntry.count({ where }),
    await api.db.idempotentReply.count({ where: { apiKey: { workspaceId: workspace.id } } }),
  ]
}

const valid: Record<PromptWriteName, Record<string, unknown>> = {
  addPrompts: { prompts: [{ text: 'new' }] },
  updatePrompt: { text: 'new' },
  setPromptTracking: { action: 'archive' },
  restorePromptWording: { revision: 1 },
}

/** Sends a body to a write and to its alias, and expects the same refusal of both. */
async function refusals(name: PromptWriteName, write: Omit<Write, 'path' | 'key'>) {
  const before = await written()
  const { method } = promptWrites[name]
  const told = []
  for (const path of pathsOf(name, place)) {
    const headers = { 'idempotency-key': 'bad', ...write.headers }
    const response = await sendWrite(api, { ...write, path, key, method, headers })
    const clone = response.clone()
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const answer = await tellOf(response)
    expect(answer.text).not.toBe('')
    assertProblem(await clone.json())
    told.push(answer)
  }
  expect(await written()).toEqual(before)
  const [one, alias] = told
  if (!one || !alias) throw new Error('not sent')
  expect([alias.status, alias.code, alias.details]).toEqual([one.status, one.code, one.details])
  return one
}

const nested = (levels: number) => `${'{"prompts":['.repeat(levels)}1${']}'.repeat(levels)}`
const deep = nested(10_000)
const json = (name: PromptWriteName) => JSON.stringify(valid[name])
const encoded = (...bytes: number[]) => new Uint8Array(bytes)

/** All bodies are read in one place. */
const bodiesOf = sized({ normal: promptWriteNames.slice(0, 1), soak: promptWriteNames })

describe.each(bodiesOf)('%s', (name) => {
  test.each(
    sampled<[string, (text: string) => string | Uint8Array<ArrayBuffer>]>(
      [
        ['not JSON', () => 'text=new'],
        ['cut off', (text) => text.slice(0, -1)],
        ['two objects', (text) => text + text],
        ['nested 10,000 deep', () => deep],
        ['nested deep in a field that is unknown', (text) => `{"x":${deep},${text.slice(1)}`],
        ['a list', (text) => `[${text}]`],
        ['null', () => 'null'],
        ['a text', () => '"new"'],
        ['a number', () => '5'],
        ['with two byte-order marks', (text) => `\ufeff\ufeff${text}`],
        ['no UTF-8', () => encoded(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
        [
          'a surrogate in UTF-8',
          () => encoded(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d),
        ],
        ['UTF-16', (text) => new Uint8Array(Buffer.from(text, 'utf16le'))],
        ['spaces', () => '  '],
      ],
      6,
    ),
  )('a body that is %s is 400', async (_kind, make) => {
    const told = await refusals(name, { body: make(json(name)) })
    expect([told.status, told.code]).toEqual([400, 'invalid_argument'])
    expect(told.details?.formErrors).toHaveLength(1)
    expect(told.fields).toEqual([])
  })

  test.each(
    sampled(
      [
        ['text/plain', {}],
        ['application/x-www-form-urlencoded', {}],
        ['application/json; charset=utf-16', {}],
        ['application/json; charset=iso-8859-1', {}],
        ['application/jsonp', {}],
        ['nonsense', {}],
        ['', {}],
        ['application/json', { 'content-encoding': 'gzip' }],
      ],
      4,
    ),
  )('a body of type "%s" is 415 %j', async (type, more) => {
    const body = 'content-encoding' in more ? new Uint8Array(gzipSync(json(name))) : json(name)
    const told = await refusals(name, { body, headers: { 'content-type': type, ...more } })
    expect([told.status, told.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('a body of more than 1 MiB is 413, also without a Content-Length', async () => {
    const { method } = promptWrites[name]
    const huge = `{"x":"${'x'.repeat(1024 * 1024)}",${json(name).slice(1)}`
    const told = await refusals(name, { body: huge })
    expect([told.status, told.code]).toEqual([413, 'payload_too_large'])
    const before = await written()
    for (const path of pathsOf(name, place)) {
      const response = await fetch(api.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: new Blob([huge, huge, huge]).stream(),
        duplex: 'half',
      } as RequestInit)
      expect((await tellOf(response)).code).toBe('payload_too_large')
    }
    expect(await written()).toEqual(before)
  })

  test('the path is checked before the body', async () => {
    const { method } = promptWrites[name]
    const reader = (await workspace.key()).key
    const elsewhere = { ...place, projectId: '3fa85f64-5717-4562-b3fc-2c963f66afa6' }
    for (const [path = '', as, code] of [
      [pathsOf(name, place)[0], reader, 'missing_scope'],
      [pathsOf(name, elsewhere)[0], key, 'not_found'],
      [pathsOf(name, place)[0], 'sgl_nonsense', 'unauthorized'],
    ] as const) {
      const told = await tellOf(await sendWrite(api, { path, key: as, method, body: 'nonsense' }))
      expect(told.code).toBe(code)
    }
  })
})

const texts = ['text', 'prompts.0.text'] as const
const wrongTexts = [5, true, null, [], {}, '', '   ', 'x'.repeat(2001), 'a\u0000b', '\ud800 alone']
const wrongTopics = [null, 'x', [5], [null], {}]

/** What is wrong, and the fields that the problem must name. */
const wrongFields: readonly (readonly [PromptWriteName, unknown, readonly string[]])[] = [
  ['addPrompts', {}, ['prompts']],
  ...[null, 'x', 5, {}, []].map((prompts) => ['addPrompts', { prompts }, ['prompts']] as const),
  ['addPrompts', { prompts: Array.from({ length: 11 }, () => ({ text: 'eleven' })) }, ['prompts']],
  [
    'addPrompts',
    { prompts: [{ text: 'good' }, {}, null, 'x'] },
    ['prompts.1.text', 'prompts.2', 'prompts.3'],
  ],
  ['addPrompts', { prompts: [{ text: 'x', isBranded: 'true' }] }, ['prompts.0.isBranded']],
  ['addPrompts', { prompts: [{ text: 'x', isBranded: null }] }, ['prompts.0.isBranded']],
  ...wrongTexts.map((text) => ['addPrompts', { prompts: [{ text }] }, [texts[1]]] as const),
  ...wrongTexts.map((text) => ['updatePrompt', { text }, [texts[0]]] as const),
  ['updatePrompt', { intentCategory: 'curious' }, ['intentCategory']],
  ['updatePrompt', { isBranded: 1, keywordDifficulty: -1 }, ['isBranded', 'keywordDifficulty']],
  ['updatePrompt', { keywordSearchVolume: -0.5 }, ['keywordSearchVolume']],
  ['updatePrompt', { text: 'x', expectedRevision: '1' }, ['expectedRevision']],
  ...(['updatePrompt', 'setPromptTracking', 'restorePromptWording'] as const).flatMap((name) =>
    [0, 1.5, 2 ** 31, null].map(
      (expectedRevision) =>
        [name, { ...valid[name], expectedRevision }, ['expectedRevision']] as const,
    ),
  ),
  ...[undefined, null, 'delete', 5].map(
    (action) => ['setPromptTracking', { action }, ['action']] as const,
  ),
  ...[undefined, null, '1', -1, 1.5, 2 ** 40].map(
    (revision) => ['restorePromptWording', { revision }, ['revision']] as const,
  ),
]

const label = (body: unknown) => JSON.stringify(body).slice(0, 60)
const cases = wrongFields.map(([name, body, fields]) => [name, label(body), body, fields] as const)

describe('a field that is wrong is named', () => {
  test.each(sampled(cases, 20))('REST %s %s', async (name, _label, body, fields) => {
    const told = await refusals(name, { body })
    expect([told.status, told.code]).toEqual([400, 'invalid_argument'])
    expect(told.fields.sort()).toEqual([...fields].sort())
  })

  test.each(sampled(cases, 12))('GraphQL %s %s', async (name, _label, body, fields) => {
    const before = await written()
    const response = await api.graphql(mutationOf(name), key, { ...place, ...(body as object) })
    const answer = (await response.json()) as GraphAnswer
    const [code, ...named] = faultIn(answer).split(' ')
    expect(code).toBe('invalid_argument')
    // GraphQL names what its types refuse, before the rules of the body.
    expect(named.length).toBeGreaterThan(0)
    const isExpected = (place: string) =>
      fields.some((field) => place === field || place.startsWith(`${field}.`))
    expect(named.filter((place) => !isExpected(place))).toEqual([])
    expect(response.status).toBe(answer.data === undefined ? 400 : 200)
    expect(problemIn(answer.data)?.__typename).toBe(answer.data && 'InvalidInput')
    expect(await written()).toEqual(before)
  })
})

// More levels would be a body that is too large for `/graphql`.
describe('GraphQL variables nested 4,000 deep', () => {
  test.each(sampled(promptWriteNames, 1))('%s', async (name) => {
    const before = await written()
    const query = mutationOf(name)
    const variables = { ...place, ...valid[name] }
    const [field = ''] = Object.keys(valid[name])
    const text = JSON.stringify({ query, variables: { ...variables, [field]: 'DEEP' } })
    // At least twice: a document is compiled at its second run.
    for (const deeply of [nested(4000), `${'['.repeat(4000)}${']'.repeat(4000)}`, nested(4000)]) {
      const response = await fetch(`${api.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: text.replace('"DEEP"', deeply),
      })
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('invalid_argument'),
      ])
    }
    expect(await written()).toEqual(before)
  })
})

describe('topics that are wrong', () => {
  test.each(wrongTopics.map((topicIds) => [JSON.stringify(topicIds), topicIds]))(
    '%s',
    async (_label, topicIds) => {
      const told = await refusals('addPrompts', { body: { prompts: [{ text: 'x', topicIds }] } })
      expect([told.status, told.fields[0]]).toEqual([
        400,
        expect.stringMatching(/^prompts\.0\.topicIds/),
      ])
    },
  )
})

describe('a body that is good', () => {
  const send = (write: Omit<Write, 'path' | 'key'>) =>
    sendWrite(api, {
      ...write,
      path: pathsOf('updatePrompt', place)[0] ?? '',
      key,
      method: 'PATCH',
    })
  const prompt = () => api.db.prompt.findUniqueOrThrow({ where: { id: place.promptId } })

  test('may be absent or empty where every field is optional', async () => {
    const before = await prompt()
    for (const body of [undefined, '', '{}']) expect((await send({ body })).status).toBe(200)
    expect((await send({ body: '', headers: { 'content-type': 'text/plain' } })).status).toBe(200)
    expect(await prompt()).toEqual(before)
  })

  test.each([
    'application/json',
    'APPLICATION/JSON; charset="UTF-8"',
    'application/merge-patch+json',
  ])('may be of type %s', async (type) => {
    const headers = { 'content-type': type }
    expect((await send({ body: { text: type }, headers })).status).toBe(200)
    expect((await prompt()).text).toBe(type)
  })

  test('may hold fields that are unknown, which do nothing', async () => {
    const before = await prompt()
    const body =
      '{"__proto__": {"text": "x"}, "constructor": {"prototype": {"text": "x"}}, "id": "x", "isTracked": false, "currentRevision": 99}'
    expect((await send({ body })).status).toBe(200)
    expect(await prompt()).toEqual(before)
    expect(({} as { text?: string }).text).toBeUndefined()
  })

  test('takes no field from the query string', async () => {
    const before = await prompt()
    const path = `${pathsOf('updatePrompt', place)[0]}?text=smuggled&projectId=x&expectedRevision=99`
    expect((await sendWrite(api, { path, key, method: 'PATCH', body: {} })).status).toBe(200)
    expect(await prompt()).toEqual(before)
  })

  test('takes the last value of a repeated key, as JSON.parse does', async () => {
    expect((await send({ body: '{"text": "first", "text": "second"}' })).status).toBe(200)
    expect((await prompt()).text).toBe('second')
  })

  test('that is refused leaves the connection for the next', async () => {
    const huge = `{"x":"${'x'.repeat(3_000_000)}"}`
    for (let i = 0; i < 5; i++) {
      expect((await send({ body: huge })).status).toBe(413)
      expect((await send({ body: {} })).status).toBe(200)
    }
  })
})

describe('the method', () => {
  const ask = (method: string, path = '', headers: Record<string, string> = {}) =>
    fetch(api.url + path, { method, headers: { authorization: `Bearer ${key}`, ...headers } })

  test('that a path does not take is 405, and Allow names those that it does', async () => {
    for (const [name, method, allowed] of [
      ['addPrompts', 'DELETE', 'GET, HEAD, POST'],
      ['updatePrompt', 'PUT', 'GET, HEAD, PATCH'],
      ['setPromptTracking', 'HEAD', 'POST'],
      ['restorePromptWording', 'GET', 'POST'],
    ] as const) {
      const response = await ask(method, pathsOf(name, place)[0])
      expect([response.status, response.headers.get('allow')]).toEqual([405, allowed])
    }
  })

  test('that writes has no ETag of its body, and no 304', async () => {
    const response = await ask('PATCH', pathsOf('updatePrompt', place)[0], { 'if-none-match': '*' })
    expect([response.status, response.headers.get('etag')]).toEqual([200, null])
  })
})
