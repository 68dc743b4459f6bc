import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { copyDemo, demoAudited, endDayOf } from '../kit/data-folders.ts'
import { makeDataFolder, startService, type TestService, until } from '../kit/service.ts'
import { isSoak } from '../kit/soak.ts'

/** The window of the last month of the demonstration, whatever day it is by now. */
export async function lastMonthOf(dataDir: string): Promise<string> {
  const to = await endDayOf(dataDir)
  const from = new Date(Date.parse(to) - 29 * 86_400_000).toISOString().slice(0, 10)
  return `from=${from}&to=${to}`
}

/** The path of a report that always asks both engines. */
export async function lastMonthReport(service: TestService): Promise<string> {
  const window = await lastMonthOf(service.dataDir)
  return `/api/mcp/projects/${service.demoProjectId}/visibility?${window}`
}

/** All processes of the service, the supervisor first. */
export async function processesOf(service: TestService): Promise<number[]> {
  return [service.pid, ...Object.values(await service.parts())]
}

/** A service with the demonstration, whose site is audited. Its folder goes with it. */
export async function startDemo(env: Record<string, string> = {}): Promise<TestService> {
  // One file of the normal run asks for it: a copy would cost a start more.
  if (!isSoak) {
    const first = await startService({ env })
    await demoAudited(first)
    return first
  }
  const folder = await makeDataFolder()
  await copyDemo(folder.path)
  const service = await startService({ dataDir: folder.path, env })
  const stop = async () => {
    const result = await service.stop()
    await folder.remove()
    return result
  }
  return { ...service, stop }
}

/** What an answer is: "same" numbers, a correct "502", a "reset", or what else came. */
export async function ask(service: TestService, report: string, numbers: unknown): Promise<string> {
  try {
    const response = await service.get(report)
    const body = await response.json()
    if (response.status === 200)
      return JSON.stringify(body) === JSON.stringify(numbers) ? 'same' : 'other numbers'
    const { status, code, retryable, message } = body
    const isProblem = status === response.status && code === 'internal_error' && retryable === true
    return isProblem ? `${status}` : JSON.stringify({ status, code, retryable, message })
  } catch {
    return 'reset'
  }
}

/** Kills a part of the service while three readers ask. It answers again by itself, with the same numbers. */
export async function surviveKill(
  service: TestService,
  part: 'api' | 'worker' | 'warehouse' | 'catalog',
): Promise<void> {
  const report = await lastMonthReport(service)
  const numbers = await (await service.get(report)).json()
  const before = await service.pidOf(part)
  const seen = new Set<string>()
  let last = ''
  let isOver = false
  // Three by one question in 500 ms: a key has 600 a minute.
  const askers = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      last = await ask(service, report, numbers)
      seen.add(last)
      await sleep(500)
    }
  })
  await sleep(200)
  process.kill(before, 'SIGKILL')
  await until(async () => {
    const now = (await service.parts())[part]
    return now !== undefined && now !== before
  })
  last = ''
  await until(() => last === 'same')
  isOver = true
  await Promise.all(askers)
  expect([...seen].filter((kind) => !['same', '502', 'reset'].includes(kind))).toEqual([])
  expect(seen).toContain('same')
}
