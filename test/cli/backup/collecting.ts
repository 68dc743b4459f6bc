import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readBackupFile } from '../../../cli/backup/files.ts'
import { locateDataDir, readSecrets } from '../../../cli/folder/data-dir.ts'
import { createKey } from '../../../resolvers/keys/keys.ts'
import { createProject } from '../../../resolvers/projects/create.ts'
import { createWorkspace } from '../../../resolvers/workspaces.ts'
import { run } from '../../../warehouse/run.ts'
import { faultIn, type GraphAnswer } from '../../kit/changes.ts'
import type { Providers } from '../../kit/collecting/provider.ts'
import { withProblemFragments } from '../../kit/graphql/mutations.ts'
import { openStores } from '../../kit/load.ts'
import { type TestService, until } from '../../kit/service.ts'

export const providerSecret = 'sk-very-secret-0123456789'

/** A project that asks once a year, and has asked once. */
export interface AskingProject {
  readonly id: string
  readonly key: string
  readonly scheduleId: string
}

async function change(service: TestService, key: string, mutation: string) {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: withProblemFragments(`mutation { ${mutation} }`) }),
  })
  const answer = (await response.json()) as GraphAnswer
  if (faultIn(answer) !== 'none') throw new Error(JSON.stringify(answer))
  return Object.values(answer.data)[0] as { readonly id: string }
}

/** Asks now, and waits for the answers. */
export async function askNow(service: TestService, { id, key, scheduleId }: AskingProject) {
  const { db, close } = await openStores(service)
  const of = `projectId: "${id}", scheduleId: "${scheduleId}"`
  const { id: runId } = await change(service, key, `runSchedule(${of}) { id }`)
  await until(async () => {
    const { status } = await db.run.findUniqueOrThrow({ where: { id: runId } })
    return status === 'completed'
  })
  await close()
}

/** Makes the project, whose service may ask the providers. */
export async function makeAskingProject(
  service: TestService,
  providers: Providers,
): Promise<AskingProject> {
  const { db, close } = await openStores(service)
  const secrets = await readSecrets(locateDataDir({ DATA_DIR: service.dataDir }))
  const [signingSecret] = secrets.signingSecrets
  const workspace = await createWorkspace(db, { name: 'Asking' })
  const input = { workspaceId: workspace.id, name: 'Asking', domain: 'asking.com' }
  const { id } = await createProject(db, input, signingSecret)
  const { key } = await createKey(db, { workspaceId: workspace.id, scopes: ['admin'] })
  await close()
  const asked = `provider: openai, secret: "${providerSecret}", baseUrl: "${providers.baseUrl('openai')}"`
  await change(
    service,
    key,
    `setProviderKey(workspaceId: "${workspace.id}", ${asked}) { providerKey { id } }`,
  )
  const prompts = 'prompts: [{ text: "best anvils?" }, { text: "best bolts?" }]'
  await change(service, key, `addPrompts(projectId: "${id}", ${prompts}) { __typename }`)
  const terms = 'name: "Yearly", cron: "0 6 1 1 *", repetitions: 2'
  const made = await change(service, key, `createSchedule(projectId: "${id}", ${terms}) { id }`)
  const project = { id, key, scheduleId: made.id }
  await askNow(service, project)
  return project
}

/** All that a service has of what the project asked. */
export async function askedOf(service: TestService, { id }: AskingProject) {
  const { db, warehouse, close } = await openStores(service)
  const where = { projectId: id }
  const { workspaceId } = await db.project.findUniqueOrThrow({ where: { id } })
  const found = {
    schedules: await db.schedule.findMany({ where }),
    runs: await db.run.findMany({ where, orderBy: { id: 'asc' } }),
    asks: await db.ask.findMany({ where: { run: where }, orderBy: { id: 'asc' } }),
    providerKeys: await db.providerKey.findMany({ where: { workspaceId } }),
    bodies: await run<{ ask_id: string; body: string }>(warehouse, {
      id: 'test.raw',
      sql: 'SELECT * FROM raw_answers WHERE project_id = {id:UUID} ORDER BY ask_id',
      params: { id },
    }),
  }
  await close()
  return found
}

/** The files of a backup whose bytes have the text, compressed or not. */
export async function filesWith(backup: string, text: string): Promise<string[]> {
  const entries = await readdir(backup, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = relative(backup, join(entry.parentPath, entry.name))
    if ((await buffer(readBackupFile(backup, path))).includes(text)) found.push(path)
  }
  return found
}
