import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataDir, locateDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { idOf } from '../../core/ids.ts'
import { demoProject } from '../../demo/answers.ts'
import { makeDemo } from '../../demo/demo.ts'
import { demoSites } from '../../demo/site/sites.ts'
import { replaceFile } from '../../disk/durable-file.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { auditHandler } from '../../worker/audit/audit.ts'
import { signingSecret, type TestApi } from './api.ts'
import { dayMs } from './day.ts'
import { evaluate } from './work/opportunities.ts'

/** The demonstration, of a day of the test's choice. */
export interface TestDemo {
  readonly projectId: string
  /** Reads, writes prompts, and starts jobs. */
  readonly key: string
}

/** What the demonstration is made in: a test's API, or a bench's. */
type Stores = Pick<TestApi, 'db' | 'databaseUrl' | 'warehouse' | 'settings' | 'secrets' | 'log'>

/** Does the audit that the demonstration has requested, as a worker does. */
async function auditDemo(api: Stores, dataDir: DataDir, projectId: string): Promise<void> {
  const where = { projectId, status: { in: ['queued' as const, 'running' as const] } }
  const { signal } = new AbortController()
  const work = { ...api, serveSite: demoSites(dataDir), signal, stopping: signal }
  for (;;) {
    const open = await api.db.audit.findFirst({ where, select: { id: true } })
    if (open === null) return
    await auditHandler.run({ auditId: open.id }, work)
  }
}

const asAlias = (text: string) => ({ text })

/**
 * Makes the demonstration with `endDay` as its last day, in a project of that id. So its numbers and ids never
 * change, nor the order of rows sorted by id.
 */
export async function makeTestDemo(
  api: Stores,
  { projectId, endDay }: { projectId: string; endDay: string },
): Promise<TestDemo> {
  const { db, databaseUrl, warehouse } = api
  const { aliases, competitors, ...about } = demoProject
  const { id: workspaceId } = await createWorkspace(db, { name: 'Demo' })
  const project = {
    workspaceId,
    ...about,
    aliases: aliases.map(asAlias),
    competitors: competitors.map((each) => ({ ...each, aliases: each.aliases.map(asAlias) })),
  }
  const { id } = await createProject(db, project, signingSecret)
  await db.project.update({ where: { id }, data: { id: projectId } })
  for (const { id, name } of await db.competitor.findMany({ where: { projectId } })) {
    await db.competitor.update({ where: { id }, data: { id: idOf(projectId, name) } })
  }
  const granted = { scopes: ['read', 'write'], capabilities: ['prompt:draft'] } as const
  const { key } = await createKey(db, {
    workspaceId,
    projectId,
    scopes: [...granted.scopes],
    capabilities: [...granted.capabilities],
  })
  const folder = await mkdtemp(join(tmpdir(), 'sightline-demo-'))
  try {
    // What a first start leaves that was cut off: the next one completes it.
    const dataDir = locateDataDir({ DATA_DIR: folder })
    const begun = { workspaceId, projectId, key, endDay, isComplete: false }
    await replaceFile(dataDir.demo, JSON.stringify(begun))
    await makeDemo(dataDir, await readSecrets(dataDir), { databaseUrl, db, warehouse })
    for (const { id, name } of await db.topic.findMany({ where: { projectId } })) {
      await db.topic.update({ where: { id }, data: { id: idOf(projectId, name) } })
    }
    await auditDemo(api, dataDir, projectId)
  } finally {
    await rm(folder, { recursive: true })
  }
  await evaluate({ db, warehouse }, projectId, new Date(Date.parse(endDay) + dayMs))
  return { projectId, key }
}
