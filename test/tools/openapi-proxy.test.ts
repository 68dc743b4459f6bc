import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { makeTestDemo, type TestDemo } from '../kit/demo.ts'
import { endJobs } from '../kit/mutation-rows.ts'
import { type Step, walk } from '../kit/pagination.ts'
import { openApi } from '../kit/rest/answer-check.ts'
import { plainFetch } from '../kit/rest/checked-fetch.ts'
import { usePrism } from './prism.ts'

const api = useApi()
let demo: TestDemo
let steps: readonly Step[]

beforeAll(async () => {
  const endDay = new Date().toISOString().slice(0, 10)
  demo = await makeTestDemo(api, { projectId: randomUUID(), endDay })
  steps = await walk(openApi, api, demo, 20)
})

/** The response, with the violations that Prism reports. */
async function ask(
  url: string,
  { method, path, body }: Omit<Step, 'operationId'>,
  headers: Record<string, string> = { authorization: `Bearer ${demo.key}` },
) {
  const response = await plainFetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const violations = response.headers.get('sl-violations')
  return { status: response.status, violations, text: await response.text() }
}

const reads = () => steps.filter(({ method }) => method === 'GET')

describe('Prism between a client and the service finds no violation', () => {
  const prism = usePrism(() => api.url, true)

  test('in a good request to every operation, and in its answer', async () => {
    const told = []
    for (const step of steps) {
      if (step.method !== 'GET') await endJobs(api, demo.projectId)
      const { status, violations } = await ask(prism.url, step)
      told.push({ operation: step.operationId, isGood: status < 300, violations })
    }
    const good = { isGood: true, violations: null }
    expect(told).toEqual(steps.map(({ operationId }) => ({ operation: operationId, ...good })))
  })

  test('in CSV, and in an answer that has not changed', async () => {
    const [step] = reads().filter(({ operationId }) => operationId === 'listSourceDomains')
    const path = `${step?.path}&format=csv`
    const csv = await ask(prism.url, { method: 'GET', path })
    expect(csv).toMatchObject({ status: 200, violations: null })
    expect(csv.text).toMatch(/domain,rank,/)
    const first = await api.get(step?.path ?? '', demo.key)
    const headers = {
      authorization: `Bearer ${demo.key}`,
      'if-none-match': first.headers.get('etag') ?? '',
    }
    expect(await ask(prism.url, { method: 'GET', path: step?.path ?? '' }, headers)).toEqual({
      status: 304,
      violations: null,
      text: '',
    })
  })
})

describe('Prism finds no violation in the problem of a request that is wrong:', () => {
  const prism = usePrism(() => api.url, false)

  /** The status of each operation's answer to a request that was changed; fails on a violation. */
  async function statuses(
    asked: readonly Step[],
    change: (step: Step) => Step,
    headers?: Record<string, string>,
  ): Promise<Set<number>> {
    const found = new Set<number>()
    for (const step of asked) {
      const { status, violations } = await ask(prism.url, change(step), headers)
      expect({ operation: step.operationId, violations }).toEqual({
        operation: step.operationId,
        violations: null,
      })
      found.add(status)
    }
    return found
  }

  const elsewhere = (path: string) => path.replace(/projects\/[^/?]+/, `projects/${randomUUID()}`)
  const withQuery = (path: string, query: string) =>
    `${path}${path.includes('?') ? '&' : '?'}${query}`

  test('one without a key', async () => {
    expect(await statuses(steps, (step) => step, {})).toEqual(new Set([401]))
  })

  test('one that names a project which is not there', async () => {
    const inProject = steps.filter(({ operationId }) => operationId !== 'listProjects')
    const change = (step: Step) => ({ ...step, path: elsewhere(step.path) })
    expect(await statuses(inProject, change)).toEqual(new Set([404]))
  })

  test('one for a format that is none', async () => {
    const change = (step: Step) => ({ ...step, path: withQuery(step.path, 'format=pdf') })
    expect(await statuses(reads(), change)).toEqual(new Set([400]))
  })

  test('a body of another type, and one that is wrong', async () => {
    const withBody = steps.filter(({ body }) => body !== undefined)
    const plain = { authorization: `Bearer ${demo.key}`, 'content-type': 'text/plain' }
    expect(await statuses(withBody, (step) => step, plain)).toEqual(new Set([415]))
    const wrong = { prompts: 1, text: 1, action: 1, pageIds: 1, reportType: 1 }
    const change = (step: Step) => ({ ...step, body: wrong })
    // A refresh of the sitemap has no field that could be wrong.
    const withFields = withBody.filter(({ path }) => !path.endsWith('/sitemap/refresh'))
    expect(await statuses(withFields, change)).toEqual(new Set([400]))
  })
})

describe('a planted fault is caught:', () => {
  /** The service, but one key of its answers has another name. */
  const faulty = createServer(async (request, response) => {
    const { authorization = '' } = request.headers
    const answer = await plainFetch(api.url + request.url, { headers: { authorization } })
    const body = (await answer.text()).replace('"hasMore":', '"more":')
    const headers = Object.fromEntries(answer.headers)
    delete headers['content-encoding']
    response.writeHead(answer.status, { ...headers, 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => faulty.listen(0, '127.0.0.1', resolve))
    return () => void faulty.close()
  })
  const upstream = () => `http://127.0.0.1:${(faulty.address() as AddressInfo).port}`
  const prism = usePrism(upstream, true)

  test('Prism refuses the answer, and names the key', async () => {
    const [step] = reads().filter(({ operationId }) => operationId === 'listSourceDomains')
    const { status, text } = await ask(prism.url, { method: 'GET', path: step?.path ?? '' })
    expect(status).toBe(500)
    expect(text).toContain("must have required property 'hasMore'")
  })

  test('and a request that the document does not allow', async () => {
    const [step] = reads().filter(({ operationId }) => operationId === 'listSourceDomains')
    const path = step?.path.replace(/limit=\d+/, 'limit=0') ?? ''
    const { status, text } = await ask(prism.url, { method: 'GET', path })
    expect(status).toBe(422)
    expect(text).toContain('must be >= 1')
  })
})
