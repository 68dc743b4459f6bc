import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { samplesOf, sumOf } from '../kit/observability/samples.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'
import { dial, headOf } from '../kit/tracker/endpoint.ts'

const logged: string[] = []
const api = useApi({}, pino({ level: 'info' }, { write: (line: string) => logged.push(line) }))
let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(project, [{ prompt: 'größe der stadt' }, { prompt: 'große schuhe' }])
})

const connect = () => dial(Number(new URL(api.url).port))

/** Sends the bytes alone on a connection, and reads the problem that comes back. */
async function problemOf(bytes: string | Buffer) {
  const connection = await connect()
  connection.send(bytes)
  expect(await connection.closed()).toBe(true)
  const [head = '', body = ''] = connection.heard.split('\r\n\r\n')
  expect(head).toMatch(/\r\nContent-Type: application\/problem\+json\r\n/)
  expect(connection.statuses).toHaveLength(1)
  const problem = assertProblem(JSON.parse(body))
  expect(problem.status).toBe(connection.statuses[0])
  expect(head).toContain(`\r\nX-Request-Id: ${problem.requestId}\r\n`)
  expect(logged.some((line) => line.includes(problem.requestId))).toBe(true)
  return problem
}

const prompts = () => `/api/mcp/projects/${project}/prompts`
const bearer = () => [`Authorization: Bearer ${key}`]

describe('what the HTTP parser refuses is a problem with a request id', () => {
  test.each([
    ['UTF-8 in the path', 400, headOf('GET /größe', 'Connection: close')],
    ['a space in the path', 400, headOf('GET /a b')],
    ['a method in lower case', 400, headOf('get /')],
    ['an unknown method', 400, headOf('BREW /')],
    ['headers of 20 kB', 431, headOf('GET /', `X-Long: ${'x'.repeat(20_000)}`)],
    ['an address of 20 kB', 431, headOf(`GET /?${'x'.repeat(20_000)}`)],
    [
      'both lengths of a body',
      400,
      `${headOf('POST /', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    ['two lengths of a body', 400, headOf('POST /', 'Content-Length: 5', 'Content-Length: 6')],
    ['another version', 400, 'GET / HTTP/3.0\r\n\r\n'],
    ['HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a colon', 400, headOf('GET /', 'nonsense')],
    ['CONNECT', 405, headOf('CONNECT example.com:443')],
    ['an unknown expectation', 417, headOf('GET /', 'Expect: tea', 'Connection: close')],
  ])('%s', async (_name, status, bytes) => {
    expect(await problemOf(bytes)).toMatchObject({ status })
  })

  test('which is counted', async () => {
    const labels = { door: 'none', operation: 'none', status: '431' }
    const counted = async () =>
      sumOf(samplesOf(await api.metricsText()), 'sightline_api_requests_total', labels)
    const before = await counted()
    await problemOf(headOf('GET /', `X-Long: ${'x'.repeat(20_000)}`))
    expect(await counted()).toBe((before ?? 0) + 1)
  })

  test('a bad chunk of a body ends the request that it belongs to, once', async () => {
    const headers = [...bearer(), 'Content-Type: application/json', 'Transfer-Encoding: chunked']
    expect(await problemOf(`${headOf(`POST ${prompts()}`, ...headers)}zz\r\n`)).toMatchObject({
      status: 400,
    })
  })

  test('a request sent ahead gets its own answer first', async () => {
    const connection = await connect()
    connection.send(headOf(`GET ${prompts()}`, ...bearer()) + headOf('GET /ü'))
    expect(await connection.closed()).toBe(true)
    expect(connection.statuses).toEqual([200, 400])
  })
})

describe('two keys in one request', () => {
  const other = 'Authorization: Bearer sgl_other'

  test.each([['GET'], ['POST']])('are refused, with whichever first: %s', async (method) => {
    for (const keys of [
      [other, ...bearer()],
      [...bearer(), other],
    ]) {
      const problem = await problemOf(
        headOf(`${method} ${prompts()}`, ...keys, 'Connection: close', 'Content-Length: 0'),
      )
      expect(problem).toMatchObject({ status: 400, code: 'invalid_argument' })
    }
  })

  test('are one where they are the same', async () => {
    const connection = await connect()
    // The second time, memory knows the answer.
    for (const times of [1, 2]) {
      connection.send(headOf(`GET ${prompts()}`, ...bearer(), ...bearer()))
      expect(await connection.answers(times)).toEqual(Array(times).fill(200))
    }
    connection.send(headOf(`GET ${prompts()}`, ...bearer(), other))
    expect(await connection.answers(3)).toEqual([200, 200, 400])
  })
})

test('a body may begin with a byte order mark, at both doors', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (const [path, body] of [
    ['/graphql', { query: `{ project(id: "${project}") { name } }` }],
    [`/api/v1/projects/${project}/connector/schema`, { dataset: 'prompts' }],
  ] as const) {
    const answerTo = async (mark: string) => {
      const request = { method: 'POST', headers, body: mark + JSON.stringify(body) }
      const response = await fetch(api.url + path, request)
      const { data, code } = (await response.json()) as Record<string, unknown>
      return [response.status, data, code]
    }
    expect(await answerTo('\ufeff')).toEqual(await answerTo(''))
  }
})

describe('UTF-8 as it is in a query, as curl sends it', () => {
  const found = (heard: string) =>
    (JSON.parse(heard.split('\r\n\r\n')[1] ?? '') as { prompts: { text: string }[] }).prompts.map(
      ({ text }) => text,
    )

  test.each([['größe'], ['GRÖSSE'], ['gro\u0308ße']])(
    'is understood, and the connection is closed after the answer: %s',
    async (search) => {
      const connection = await connect()
      connection.send(headOf(`GET ${prompts()}?search=${search}&limit=5`, ...bearer()))
      expect(await connection.closed()).toBe(true)
      expect(connection.statuses).toEqual([200])
      expect(connection.heard).toContain('\r\nConnection: close\r\n')
      expect(found(connection.heard)).toEqual(['größe der stadt'])
    },
  )

  test('is understood on a connection that was used before', async () => {
    const connection = await connect()
    connection.send(headOf('GET /healthz'))
    await connection.answers(1)
    connection.send(headOf(`HEAD ${prompts()}?search=größe`, ...bearer()))
    expect(await connection.closed()).toBe(true)
    expect(connection.statuses).toEqual([200, 200])
  })

  test('needs the key as ever', async () => {
    expect(await problemOf(headOf(`GET ${prompts()}?search=größe`))).toMatchObject({ status: 401 })
  })

  test.each([
    ['in another encoding', Buffer.from(headOf('GET /?q=größe'), 'latin1')],
    ['with a space', headOf('GET /?q=große schuhe')],
    ['with a control character', headOf('GET /?q=größe\u0001')],
    ['of a write', headOf('POST /?q=größe', 'Content-Length: 0')],
    ['of a read with a body', `${headOf('GET /?q=größe', 'Content-Length: 5')}`],
    ['with a second request behind it', headOf('GET /?q=größe') + headOf('GET /secret')],
    ['before the end of the head', headOf('GET /?q=größe').slice(0, -2)],
  ])('is refused %s', async (_name, bytes) => {
    expect((await problemOf(bytes)).howToFix).toContain('Percent-encode')
  })
})
