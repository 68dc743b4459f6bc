import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { type Answer, answerFaults, answerOf } from '../kit/rest/answer-check.ts'
import { takeFallen } from '../kit/rest/checked-fetch.ts'

const api = useApi()
let key = ''
let path = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(project, [{ citations: [{ url: 'https://reviews.org/best' }] }])
  path = `/api/mcp/projects/${project}/sources/domains`
})

const window = '?from=2025-05-01&to=2025-05-31'

async function answerTo(query: string, headers: Record<string, string> = {}): Promise<Answer> {
  return answerOf('GET', path, await api.get(`${path}${query}`, key, headers))
}

interface Row {
  [name: string]: unknown
}

type Page = { sources: Row[] } & Row

/** The answer with its body changed. */
async function changed(change: (body: Page) => void, query = window): Promise<string[]> {
  const answer = await answerTo(query)
  const body = JSON.parse(answer.body)
  change(body)
  return answerFaults({ ...answer, body: JSON.stringify(body) })
}

describe('an answer as it comes has no fault', () => {
  test.each([
    ['in JSON', window, {}],
    ['in CSV', `${window}&format=csv`, {}],
    ['that is a problem', '?days=0', {}],
    ['that is a problem of the country', '?country=nowhere', {}],
  ])('%s', async (_what, query, headers) => {
    expect(answerFaults(await answerTo(query, headers))).toEqual([])
  })

  test('that is 304, and without a body', async () => {
    const tag = (await answerTo(window)).headers.get('etag') ?? ''
    const answer = await answerTo(window, { 'if-none-match': tag })
    expect(answer.status).toBe(304)
    expect(answerFaults(answer)).toEqual([])
    expect(answerFaults({ ...answer, body: '{}' })).toEqual(['there is a body'])
  })
})

describe('a planted fault is found:', () => {
  test.each<[string, (body: Page) => void, string]>([
    ['a key that is missing', (body) => delete body.hasMore, "required property 'hasMore'"],
    [
      'a key too many',
      (body) => Object.assign(body, { more: 1 }),
      'NOT have additional properties',
    ],
    [
      'a key too many in a row',
      (body) => Object.assign(body.sources[0] ?? {}, { id: 1 }),
      'NOT have additional properties {"additionalProperty":"id"}',
    ],
    ['a row without a key', (body) => delete body.sources[0]?.models, "required property 'models'"],
    [
      'null where there is none',
      (body) => Object.assign(body, { totalSources: null }),
      'body/totalSources must be integer',
    ],
    [
      'a number as text',
      (body) => Object.assign(body.sources[0] ?? {}, { rank: '1' }),
      'body/sources/0/rank must be integer',
    ],
  ])('%s', async (_what, change, told) => {
    expect(await changed(change)).toEqual([expect.stringContaining(told)])
  })

  test.each<[string, (body: Row) => void, string]>([
    [
      'a code of other operations',
      (body) => Object.assign(body, { code: 'quota_exceeded' }),
      'body/code must be equal to one of the allowed values',
    ],
    [
      'another status in the body',
      (body) => Object.assign(body, { status: 404 }),
      'body/status must be equal to constant',
    ],
    [
      'a member that is none',
      (body) => Object.assign(body, { detail: 'x' }),
      'NOT have additional properties',
    ],
    [
      'a message and another error',
      (body) => Object.assign(body, { error: 'x' }),
      '/error must be equal to constant',
    ],
    ['no request id', (body) => delete body.requestId, "required property 'requestId'"],
  ])('a problem with %s', async (_what, change, told) => {
    expect(await changed(change, '?days=0')).toContainEqual(expect.stringContaining(told))
  })

  test.each<[string, Partial<Answer>, string]>([
    ['a status that is not documented', { status: 418 }, 'status 418 is not documented'],
    ['no headers', { headers: new Headers() }, 'header x-request-id is missing'],
    [
      'another content type',
      { headers: new Headers({ 'content-type': 'text/html' }) },
      'content type text/html is not documented',
    ],
    [
      'a header of others',
      { headers: new Headers({ 'retry-after': '1' }) },
      'header retry-after is not documented',
    ],
    ['a body that is no JSON', { body: '<html>' }, 'the body is not JSON'],
    [
      'an answer where nothing is',
      { path: '/api/mcp/nothing' },
      'no operation is documented here, and the answer is none',
    ],
    [
      'a method that is not',
      { method: 'DELETE' },
      'no operation is documented here, and the answer is none',
    ],
  ])('%s', async (_what, change, told) => {
    const answer = await answerTo(window)
    expect(answerFaults({ ...answer, ...change })).toContain(told)
  })

  test('CSV with other columns', async () => {
    const answer = await answerTo(`${window}&format=csv`)
    const body = answer.body.replace('rank', 'place')
    expect(answerFaults({ ...answer, body })).toEqual([
      expect.stringMatching(/columns domain,place/),
    ])
  })
})

test('every fetch of a test is checked: one wrong key, of whatever server, and it fails', async () => {
  const { headers, body } = await answerTo(window)
  const broken = body.replace('"hasMore":', '"hasmore":')
  const server = createServer((_request, response) => {
    response.writeHead(200, Object.fromEntries(headers)).end(broken)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  const told = /is not what rest\/contract\/openapi\.json says:\n.*required property 'hasMore'/
  await expect(fetch(`http://127.0.0.1:${port}${path}`)).rejects.toThrow(told)
  // Whoever swallows the error meets it at the end of the test.
  expect(takeFallen()).toEqual([expect.stringMatching(told)])
})
