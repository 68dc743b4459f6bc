import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, lastMonthReport, startDemo } from '../cli/demo-service.ts'
import { type TestService, until } from '../kit/service.ts'

/** Each part of a service that runs is stopped in turn: its process lives and answers nobody. */

let service: TestService
let report: string
let numbers: unknown

beforeAll(async () => {
  service = await startDemo()
  report = await lastMonthReport(service)
  numbers = await (await service.get(report)).json()
})
afterAll(() => service.stop())

/** The parts at `/readyz`, or none while nobody answers. */
async function partsShown(): Promise<Record<string, string>> {
  try {
    const response = await fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(3000) })
    return ((await response.json()) as { parts: Record<string, string> }).parts
  } catch {
    return {}
  }
}

const allUp = {
  api: 'up',
  worker: 'up',
  tracker: 'up',
  trackerWriter: 'up',
  catalog: 'up',
  warehouse: 'up',
}

test.each(['worker', 'tracker', 'trackerWriter', 'warehouse', 'catalog'] as const)(
  'a stopped %s is shown as silent, restarted, and the numbers are the same',
  async (part) => {
    await expect.poll(partsShown).toEqual(allUp)
    const before = await service.pidOf(part)
    process.kill(before, 'SIGSTOP')
    await until(async () => (await partsShown())[part] === 'silent')
    await until(async () => ![undefined, before].includes((await service.parts())[part]))
    await until(async () => (await ask(service, report, numbers)) === 'same')
    await expect.poll(partsShown).toEqual(allUp)
  },
)

test('a stopped API is restarted, and meanwhile its connections wait or get the 502', async () => {
  const before = await service.pidOf('api')
  process.kill(before, 'SIGSTOP')
  const asked = ask(service, report, numbers)
  await until(async () => ![undefined, before].includes((await service.parts()).api))
  expect(['502', 'reset', 'same']).toContain(await asked)
  await until(async () => (await ask(service, report, numbers)) === 'same')
  await expect.poll(partsShown).toEqual(allUp)
})
