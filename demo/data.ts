import { importAnswers } from '../imports/answers/answers.ts'
import type { Catalog } from '../prisma/client.ts'
import { recordAlarms } from '../resolvers/alarms/record.ts'
import { jobScope } from '../resolvers/shared/job-scope.ts'
import type { Warehouse } from '../warehouse/client.ts'
import { loadDemoAnalytics } from './analytics.ts'
import { demoLines } from './answers.ts'
import { requestDemoAudit } from './audit.ts'
import { loadPastRuns } from './collecting/history.ts'
import { beginAsking } from './collecting/project.ts'
import { loadDemoContent } from './content.ts'
import type { DemoFile } from './file.ts'
import { loadDemoHits } from './hits.ts'
import { makeDemoReport } from './report.ts'

const SEED = 1

export interface DemoStores {
  databaseUrl: string
  db: Catalog
  warehouse: Warehouse
}

/** Loads the data of all areas into the demo projects. Each part replaces what an interrupted call loaded. */
export async function loadDemoData(
  stores: DemoStores,
  { projectId, askingProjectId, endDay }: DemoFile,
  signingSecret: string,
): Promise<void> {
  const options = { seed: SEED, endDay }
  await importAnswers(stores, { projectId, lines: demoLines(options) })
  await loadDemoHits(stores, projectId, options)
  await loadDemoAnalytics(stores, projectId, options)
  await loadDemoContent(stores, projectId, options)
  await makeDemoReport(stores, projectId, endDay)
  await requestDemoAudit(stores, projectId)
  await recordDemoAlarms(stores, projectId)
  if (askingProjectId === undefined) return
  await beginAsking(stores.db, askingProjectId, signingSecret)
  await loadPastRuns(stores, askingProjectId, endDay)
}

/** What the monitors found in the days of the demonstration. */
async function recordDemoAlarms(stores: DemoStores, projectId: string): Promise<void> {
  const now = new Date()
  const scope = await jobScope(stores, projectId, now)
  if (scope) await recordAlarms(scope, now, { withMonitors: true })
}
