import { PgBoss } from 'pg-boss'
import type { AskedProvider } from '../../../core/providers/request.ts'
import { queueSchema } from '../../../core/queues.ts'
import { createKey } from '../../../resolvers/keys/keys.ts'
import { createProject } from '../../../resolvers/projects/create.ts'
import { createWorkspace } from '../../../resolvers/workspaces.ts'
import { run as query } from '../../../warehouse/run.ts'
import { openStores } from '../backup/load.ts'
import { isAlive, makeDataFolder, runCli, startService, until } from '../service.ts'
import { storePrompts } from './prompts.ts'
import { type Counts, type ProviderProcess, startProviderProcess } from './provider-process.ts'

export interface AskingOptions {
  /** The model of each provider that is asked. */
  readonly models: Readonly<Partial<Record<AskedProvider, string>>>
  readonly secret: string
  /** Questions at a time of each key. */
  readonly atOnce: number
  /** Questions of a thousand whose first request gets a fault. */
  readonly faultsOfThousand: number
}

/** A service on a folder of its own that asks providers in a process of their own. */
export type AskingService = Awaited<ReturnType<typeof startAskingService>>

export async function startAskingService(options: AskingOptions) {
  const providers = await startProviderProcess(options.faultsOfThousand)
  const folder = await makeDataFolder()
  const service = await startService({
    dataDir: folder.path,
    env: {
      SIGHTLINE_DEMO: '0',
      LOG_LEVEL: 'debug',
      ALLOW_PRIVATE_HOSTS: providers.hosts,
      QUESTIONS_PER_KEY: String(options.atOnce),
    },
  })
  const stores = await openStores(service)
  const boss = new PgBoss({
    connectionString: stores.databaseUrl,
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
  })
  await boss.start()
  const { id: workspaceId } = await createWorkspace(stores.db, {
    name: 'Kills',
    plan: 'enterprise',
  })
  const printed = await setKeys(options, { providers, workspaceId, env: service.env })
  const { db, warehouse } = stores
  let stopping: ReturnType<typeof service.stop> | undefined

  async function stop() {
    await boss.stop()
    await stores.close()
    return service.stop()
  }

  return {
    folder,
    service,
    stores,
    workspaceId,
    /** What commands have printed. */
    printed,
    counts: (): Promise<Counts> => providers.counts(),

    /** A project with so many prompts, as an import stores them. */
    async projectOf(prompts: number) {
      const input = { workspaceId, name: 'Acme', domain: 'acme.com' }
      const { id: projectId } = await createProject(db, input, 'unused')
      await storePrompts(db, projectId, prompts)
      return db.project.findUniqueOrThrow({ where: { id: projectId } })
    },

    /** Questions of a run that have ended. */
    ended: (runId: string) => db.ask.count({ where: { runId, state: { not: 'waiting' } } }),

    isOver: async (id: string) =>
      (await db.run.findUniqueOrThrow({ where: { id } })).status === 'completed',

    /** US dollars of the month, with what is reserved. */
    spent: async (id: string) =>
      (await db.collectingBudget.findUniqueOrThrow({ where: { id } })).monthSpent,

    /** Questions of a run whose replies are kept, as providers name them. */
    async kept(runId: string): Promise<string[]> {
      const rows = await query<{ name: string }>(warehouse, {
        id: 'test.kept',
        params: { runId },
        sql: `SELECT DISTINCT concat(provider, ' ', prompt) AS name FROM raw_answers
               WHERE run_id = {runId:UUID}`,
      })
      return rows.map(({ name }) => name)
    },

    /** The ids of all answers of a project in the warehouse, and how many of them reports show. */
    async answers(projectId: string) {
      const rows = await query<{ id: string }>(warehouse, {
        id: 'test.answers',
        params: { projectId },
        sql: 'SELECT toString(id) AS id FROM answers WHERE project_id = {projectId:UUID}',
      })
      const { key } = await createKey(db, { workspaceId, scopes: ['read'] })
      const text = `{ project(id: "${projectId}") { answers { totalCount } } }`
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: text }),
      })
      const { data } = await response.json()
      const shown: number = data.project.answers.totalCount
      return { ids: rows.map(({ id }) => id).sort(), shown }
    },

    /** Kills the worker, and reads what `look` reads while nobody asks. Then the service starts another worker. */
    async killWorker<T>(look: () => Promise<T>): Promise<T> {
      const pid = await service.pidOf('worker')
      process.kill(pid, 'SIGKILL')
      await until(() => !isAlive(pid))
      // The job waits for its heartbeat to be missed, for ten seconds.
      const found = await look()
      await until(async () => (await service.pidOf('worker')) !== pid)
      // Who would wait so long sees it missed now.
      await db.$executeRaw`
        UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 minute'
         WHERE name = 'collect' AND state = 'active'`
      await boss.supervise('collect')
      return found
    },

    /** Ends the service, whose folder stays. @returns what it has printed in all its life */
    stopped() {
      stopping ??= stop()
      return stopping
    },
    async remove() {
      providers.close()
      await folder.remove()
    },
  }
}

/** Stores the keys as people do. @returns what the commands print */
async function setKeys(
  { models, secret }: AskingOptions,
  {
    providers,
    workspaceId,
    env,
  }: { providers: ProviderProcess; workspaceId: string; env: Record<string, string> },
): Promise<string[]> {
  const printed: string[] = []
  for (const [name, model] of Object.entries(models)) {
    const args = ['provider-key', 'set', name, '--workspace', workspaceId]
    const address = ['--model', model, '--base-url', providers.baseUrl(name as AskedProvider)]
    const { code, stdout, stderr } = await runCli([...args, ...address], { env, input: secret })
    if (code !== 0) throw new Error(stderr)
    printed.push(stdout, stderr)
  }
  return printed
}
