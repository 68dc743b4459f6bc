import { setTimeout as sleep } from 'node:timers/promises'
import { locateDataDir, readSecrets } from '../../../cli/folder/data-dir.ts'
import { catalogUrl, warehouseUrl } from '../../../cli/service/engines.ts'
import { importAnswers } from '../../../imports/answers/answers.ts'
import { createCatalog } from '../../../prisma/client.ts'
import { patiently } from '../../../prisma/patiently.ts'
import { createSiteToken } from '../../../resolvers/connections/site-tokens.ts'
import { createIngestKey } from '../../../resolvers/keys/ingest-keys.ts'
import { createKey } from '../../../resolvers/keys/keys.ts'
import { createProject } from '../../../resolvers/projects/create.ts'
import { commandLine } from '../../../resolvers/shared/audit-trail.ts'
import { createWorkspace } from '../../../resolvers/workspaces.ts'
import { createWarehouse } from '../../../warehouse/client.ts'
import { run } from '../../../warehouse/run.ts'
import { holderOf, type TestService } from '../service.ts'
import { type Sender, sendHits } from '../tracker/service.ts'

/** A project that is written all the time. */
export interface BusyProject {
  readonly projectId: string
  readonly key: string
  readonly sender: Sender
}

/** Leaves the machine some time for what is tested. */
const pauseMs = 20

/** Answers of one import. */
export const answersOfImport = 20

export async function makeBusyProject(
  { dataDir }: TestService,
  { db }: Awaited<ReturnType<typeof openStores>>,
): Promise<BusyProject> {
  const secrets = await readSecrets(locateDataDir({ DATA_DIR: dataDir }))
  const [secret] = secrets.signingSecrets
  const { id } = await createWorkspace(db, { name: 'Busy' })
  const input = { workspaceId: id, name: 'Busy', domain: 'busy.com' }
  const projectId = (await createProject(db, input, secret)).id
  const scopes = ['read', 'write'] as const
  const grants = { scopes: [...scopes], capabilities: ['prompt:draft' as const] }
  const { key } = await createKey(db, { workspaceId: id, ...grants })
  const ingest = await createIngestKey(db, commandLine, id, {}, secret)
  const { siteToken } = await createSiteToken(db, commandLine, projectId, {}, secret)
  return { projectId, key, sender: { key: ingest.key, siteToken } }
}

/** The stores of a running service. */
export async function openStores({ dataDir }: TestService) {
  const secrets = await readSecrets(locateDataDir({ DATA_DIR: dataDir }))
  const owner = await holderOf(dataDir)
  const databaseUrl = catalogUrl(secrets, owner?.catalog?.port ?? 0)
  const db = createCatalog(databaseUrl)
  const warehouse = createWarehouse({ url: warehouseUrl(secrets, owner?.warehouse?.port ?? 0) })
  const close = () => Promise.all([db.$disconnect(), warehouse.close()])
  return { databaseUrl, db, warehouse, close }
}

/** What was acknowledged. */
export interface Acknowledged {
  readonly paths: string[]
  readonly prompts: string[]
  imports: number
}

/** Writes until `stop`: events, prompts, and imports of answers. */
export function startLoad(
  service: TestService,
  { projectId, key, sender }: BusyProject,
  stores: Awaited<ReturnType<typeof openStores>>,
) {
  const done: Acknowledged = { paths: [], prompts: [], imports: 0 }
  let isOver = false
  const repeat = async (work: (round: number) => Promise<void>) => {
    for (let round = 0; !isOver; round++) {
      await work(round)
      await sleep(pauseMs)
    }
  }
  const events = repeat(async (round) => {
    const paths = Array.from({ length: 5 }, (_, at) => `/${round}-${at}`)
    if ((await sendHits(service.trackerUrl, sender, paths)) === 202) done.paths.push(...paths)
  })
  const prompts = repeat(async (round) => {
    const text = `What is number ${round}?`
    const response = await fetch(`${service.url}/api/mcp/projects/${projectId}/prompts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompts: [{ text }] }),
    })
    await response.arrayBuffer()
    if (response.ok) done.prompts.push(text)
  })
  const imports = repeat(async (round) => {
    const lines = Array.from({ length: answersOfImport }, (_, at) =>
      JSON.stringify({
        prompt: 'best headphones',
        platform: 'chatgpt',
        text: `Busy is answer ${at}.`,
        collectedAt: new Date(Date.UTC(2026, 0, 1) + (round * 100 + at) * 60_000).toISOString(),
      }),
    )
    // Prompts of the same project are written meanwhile: a client tries again what waited too long for them.
    await patiently(() => importAnswers(stores, { projectId, lines }))
    done.imports += 1
  })
  return {
    done,
    async stop() {
      isOver = true
      await Promise.all([events, prompts, imports])
    },
  }
}

/** What a service has of the project: stored events by path, prompts, and visible answers. */
export async function storedOf(service: TestService, { projectId }: BusyProject) {
  const { db, warehouse, close } = await openStores(service)
  const hits = await run<{ path: string; times: number }>(warehouse, {
    id: 'test.hits',
    sql: 'SELECT path, count() AS times FROM crawler_hits WHERE project_id = {projectId:UUID} GROUP BY path',
    params: { projectId },
  })
  const prompts = await db.prompt.findMany({ where: { projectId }, select: { text: true } })
  const { visibleLoad, lastLoad } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
  const [answers = 0] = await run(warehouse, {
    id: 'test.answers',
    sql: `SELECT count() AS answers FROM answers
           WHERE project_id = {projectId:UUID} AND load_seq <= {visibleLoad:UInt32}`,
    params: { projectId, visibleLoad },
    row: (raw) => Number(raw.answers),
  })
  await close()
  return {
    hits: new Map(hits.map(({ path, times }) => [path, times])),
    prompts: prompts.map(({ text }) => text),
    answers,
    visibleLoad,
    lastLoad,
  }
}
