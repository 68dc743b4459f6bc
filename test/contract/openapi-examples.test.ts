import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Example } from '../../rest/openapi/responses.ts'
import { routes } from '../../rest/routes.ts'
import { useApi } from '../kit/api.ts'
import { makeTestDemo, type TestDemo } from '../kit/demo.ts'
import { endJobs } from '../kit/mutation-rows.ts'
import { type Step, walk } from '../kit/pagination.ts'
import { openApi } from '../kit/rest/answer-check.ts'
import { sendWrite } from '../kit/rest/writes.ts'

/** The moment of the examples: whatever day it is, they are the same. */
const now = new Date('2026-06-30T08:00:00Z')
/** Beyond every date of the demonstration: who says so has looked at the clock of a store. */
const later = new Date('2026-09-01')
const mostRows = 2
const mostPoints = 3

// The clock of this process, in which the API runs; the timers go on.
vi.useFakeTimers({ toFake: ['Date'], now })
afterAll(() => vi.useRealTimers())

const api = useApi()
let demo: TestDemo
let steps: Step[]
const examples: Record<string, Example> = {}

const read = (path: string) => api.get(path, demo.key)

/** An answer with its lists cut to what shows their shape. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, mostPoints).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

const drawnIds = new Map<string, string>()

/** Ids that are drawn, cursors that are signed and times that the stores set, each by one that stays. */
function settled(text: string): string {
  const drawn = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
  return text
    .replaceAll(drawn, (id) => {
      const number = String(drawnIds.size + 1).padStart(12, '0')
      const known = drawnIds.get(id) ?? `00000000-0000-4000-8000-${number}`
      drawnIds.set(id, known)
      return known
    })
    .replaceAll(/"nextCursor":"[^"]+"/g, '"nextCursor":"eyJsIjoibGlzdCIsInAiOjJ9.c2lnbmF0dXJl"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
      new Date(time) > later ? now.toISOString() : time,
    )
}

async function exampleOf({ operationId, method, path, body }: Step): Promise<Example> {
  const { key } = demo
  const response =
    method === 'GET'
      ? await read(path)
      : await sendWrite(api, { path, key, method: method as 'POST' | 'PATCH', body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${operationId} answered ${text}`)
  const example = { body: shortened(JSON.parse(settled(text))) }
  if (body !== undefined) return { request: body, ...example }
  if (!routes.some((route) => route.operationId === operationId && route.csv)) return example
  return { ...example, csv: settled(await (await read(`${path}&format=csv`)).text()) }
}

beforeAll(async () => {
  demo = await makeTestDemo(api, {
    projectId: '5f1d7e0a-2c55-8a3b-9c0d-7e1f00000001',
    endDay: now.toISOString().slice(0, 10),
  })
  steps = await walk(openApi, api, demo, mostRows)
  for (const step of steps) {
    if (step.method !== 'GET') await endJobs(api, demo.projectId)
    examples[step.operationId] = await exampleOf(step)
  }
})

test('every operation of the demonstration has an example', () => {
  expect(Object.keys(examples).sort()).toEqual(routes.map((it) => it.operationId).sort())
})

test('the examples are what the demonstration answers; mend: vitest run FILE -u, npm run codegen', async () => {
  const inOrder = Object.fromEntries(routes.map(({ operationId: id }) => [id, examples[id]]))
  const text = `${JSON.stringify(inOrder, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../rest/contract/examples.json')
})
