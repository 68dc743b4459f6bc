import { endDayOf } from '../kit/demo-folder.ts'
import type { TestService } from '../kit/service.ts'

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
