import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'

const api = useApi()
const may = 'from=2025-05-01&to=2025-05-31'
let key = ''
let base = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  key = (await workspace.key()).key
  base = `/api/mcp/projects/${project}`
  const citations = ['a.com/1', 'b.com/2', 'c.com/3'].map((path) => ({ url: `https://${path}` }))
  await workspace.load(project, [{ citations }])
})

async function rest(path: string, window = may) {
  const response = await api.get(`${base}${path}${path.includes('?') ? '&' : '?'}${window}`, key)
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) assertProblem(body)
  return { status: response.status, body }
}

describe('bad arguments are refused, and the field is named', () => {
  test.each([
    ['days=0', 'days'],
    ['days=x', 'days'],
    ['days=', 'days'],
    ['days=30&from=2025-05-01&to=2025-05-31', 'days'],
    ['from=2025-05-01', 'to'],
    ['from=2025-02-30&to=2025-03-01', 'from'],
    ['from=2025-05-02&to=2025-05-01', 'from'],
    ['from=2024-05-01&to=2025-05-01', 'from'],
    ['limit=0', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['offset=-1', 'offset'],
    ['sort=name', 'sort'],
    ['sourceType=brand,nonsense', 'sourceType'],
    ['platform=nonsense', 'platform'],
    ['branded=true&unbranded=true', 'branded'],
    ['branded=maybe', 'branded'],
    ['cursor=nonsense', 'cursor'],
    ['format=xml', 'format'],
  ])('%s', async (query, field) => {
    const { status, body } = await rest(`/sources/domains?${query}`, '')
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
    expect(Object.keys((body.details as { fieldErrors: object }).fieldErrors)).toEqual([field])
  })

  test('a cursor of another list, or with an offset', async () => {
    const { body } = await rest('/sources/domains?limit=1')
    const cursor = body.nextCursor
    expect((await rest(`/sources/domains?limit=1&offset=1&cursor=${cursor}`)).body.code).toBe(
      'invalid_argument',
    )
    expect((await rest(`/sources/urls?limit=1&cursor=${cursor}`)).body.code).toBe(
      'invalid_argument',
    )
    expect(
      (await rest(`/sources/domains?limit=1&platform=chatgpt&cursor=${cursor}`)).body.code,
    ).toBe('invalid_argument')
    expect((await rest(`/sources/domains?limit=2&cursor=${cursor}`)).status).toBe(200)
  })

  test('an unknown country has a code of its own; foreign topics and locations are not found', async () => {
    expect((await rest('/sources/domains?country=Atlantis')).body).toMatchObject({
      status: 400,
      code: 'invalid_country',
    })
    for (const id of ['nonsense', '3fa85f64-5717-4562-b3fc-2c963f66afa6']) {
      expect((await rest(`/sources/domains?topicId=${id}`)).body).toMatchObject({
        status: 404,
        code: 'not_found',
      })
      expect((await rest(`/sources/domains?locationId=${id}`)).body).toMatchObject({
        status: 404,
        code: 'not_found',
      })
    }
  })

  test('the list of one domain pages by cursor alone', async () => {
    const first = await rest('/sources/domains?limit=1')
    const withCursor = `limit=1&cursor=${first.body.nextCursor}&offset=1`
    for (const query of ['offset=0', 'offset=1', 'offset=x', withCursor]) {
      const { status, body } = await rest(`/sources/domains/a.com/urls?${query}`)
      expect([status, body.code]).toEqual([400, 'invalid_argument'])
      expect(Object.keys((body.details as { fieldErrors: object }).fieldErrors)).toEqual(['offset'])
    }
  })

  test('csv is for rows only, and an over-long page is clamped', async () => {
    expect((await rest('/sources/trend?format=csv')).body.code).toBe('invalid_argument')
    expect((await rest('/sources/domains?limit=99999999999')).status).toBe(200)
    expect((await rest('/sources/domains?unknown=1')).status).toBe(200)
  })
})
