import { randomUUID } from 'node:crypto'
import { importAnswers } from '../imports/answers/answers.ts'
import type { Catalog } from '../prisma/client.ts'
import { recordAlarms } from '../resolvers/alarms/record.ts'
import { jobScope } from '../resolvers/shared/job-scope.ts'
import type { Warehouse } from '../warehouse/client.ts'
import { loadDemoAnalytics } from './analytics.ts'
import { demoLines, guides } from './answers.ts'
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
  await markGuides(stores, projectId, endDay)
  if (askingProjectId === undefined) return
  await beginAsking(stores.db, askingProjectId, signingSecret)
  await loadPastRuns(stores, askingProjectId, endDay)
}

/** Marks the day on which the guides were published. */
async function markGuides({ db }: DemoStores, projectId: string, endDay: string): Promise<void> {
  const { title, topics, daysAgo } = guides
  const found = await db.topic.findMany({ where: { projectId, name: { in: [...topics] } } })
  const day = new Date(Date.parse(`${endDay}T00:00:00Z`) - daysAgo * 24 * 60 * 60 * 1000)
  const topicIds = found.map(({ id }) => id)
  await db.mark.deleteMany({ where: { projectId } })
  await db.mark.create({
    data: { id: randomUUID(), projectId, kind: 'page_published', title, day, topicIds },
  })
}

/** What the monitors found in the days of the demonstration. */
async function recordDemoAlarms(stores: DemoStores, projectId: string): Promise<void> {
  const now = new Date()
  const scope = await jobScope(stores, projectId, now)
  if (scope) await recordAlarms(scope, now, { withMonitors: true })
}
