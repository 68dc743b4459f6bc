import { expect, test } from 'vitest'
import { openApiOf } from '../../rest/openapi/openapi.ts'
import { type Route, routes } from '../../rest/routes.ts'
import { restSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'

/** Two endpoints that will be removed, planted before the API starts: no endpoint of the contract is deprecated. */
function deprecate(operationId: string, deprecated: NonNullable<Route['deprecated']>): void {
  const route = routes.find((each) => each.operationId === operationId)
  if (!route) throw new Error(operationId)
  Object.assign(route, { deprecated })
}
deprecate('listTopics', { since: '2026-11-01', removedOn: '2027-11-01' })
deprecate('addPrompts', { since: '2026-11-01' })

const api = useApi()

test('an endpoint that will be removed says since when, and its last day once it is fixed', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  const headersOf = async (path: string, init: RequestInit = {}) => {
    const url = `${api.url}/api/mcp/projects/${project}${path}`
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(url, { headers, ...init })
    await response.arrayBuffer()
    const names = ['deprecation', 'sunset']
    return [response.status, ...names.map((name) => response.headers.get(name))]
  }
  const ended = ['@1793491200', 'Mon, 01 Nov 2027 00:00:00 GMT']
  expect(await headersOf('/topics')).toEqual([200, ...ended])
  // From memory, and where it is refused.
  expect(await headersOf('/topics')).toEqual([200, ...ended])
  expect(await headersOf('/topics', { headers: {} })).toEqual([401, ...ended])
  expect(await headersOf('/prompts', { method: 'POST', body: '{}' })).toEqual([
    403,
    '@1793491200',
    null,
  ])
  expect(await headersOf('/locations')).toEqual([200, null, null])
})

test('the document marks it', () => {
  const marked = Object.values(openApiOf(restSchema).paths)
    .flatMap((path) => Object.values(path))
    .filter(({ deprecated }) => deprecated)
  expect(marked.map(({ operationId }) => operationId).sort()).toEqual(['addPrompts', 'listTopics'])
})
