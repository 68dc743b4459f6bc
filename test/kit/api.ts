import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import type { ServiceOptions } from '../../api/services.ts'
import type { Capability, KeyScope } from '../../core/access.ts'
import { readSettings, type Settings } from '../../core/settings.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { openMetrics } from '../../observability/registry.ts'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { signIn } from '../../resolvers/members/sessions.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { startApi } from '../../server.ts'
import { createWarehouse, type Warehouse } from '../../warehouse/client.ts'
import { sharedCatalog } from './catalog.ts'
import { credentials } from './credentials.ts'
import { withProblemFragments } from './graphql/mutations.ts'
import { createTestDatabase, newDatabaseUrl } from './postgres.ts'

/** What the API signs ingest keys and site tokens with. */
export const signingSecret = 'test-secret'

/** One line of an import, with what most tests do not care about filled in. */
export interface AnswerLine {
  prompt?: string
  platform?: string
  collectedAt?: string
  text?: string
  [field: string]: unknown
}

/** An API of the test's own over the shared engines, and the means to fill a workspace of its own. */
export interface TestApi {
  readonly url: string
  readonly db: Catalog
  readonly databaseUrl: string
  readonly warehouse: Warehouse
  readonly settings: Settings
  /** Those of the options, for a worker beside the API. */
  readonly googleUrl: string | undefined
  readonly bingUrl: string | undefined
  readonly secrets: { cursorSecret: string; signingSecrets: readonly [string] }
  readonly log: Logger
  /** The metrics of the API, in Prometheus' text format. Not the metrics themselves: a second API has its own. */
  metricsText(): Promise<string>
  workspace(plan?: 'free' | 'starter' | 'growth' | 'enterprise'): Promise<TestWorkspace>
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Response>
  /** Sends a document; a mutation without fragments gets those of its result and of its problems. */
  graphql(query: string, key?: string, variables?: object): Promise<Response>
  /** Ends something after the last test, while the API and its stores are still there. */
  atEnd(end: () => Promise<unknown>): void
}

export interface TestWorkspace {
  readonly id: string
  project(options?: Partial<Parameters<typeof createProject>[1]>): Promise<string>
  key(options?: {
    scopes?: KeyScope[]
    capabilities?: Capability[]
    projectId?: string
    expiresAt?: Date
    userEmail?: string
  }): Promise<{ id: string; key: string }>
  /** The token of a browser in which an owner has signed in. */
  session(): Promise<string>
  load(projectId: string, lines: readonly AnswerLine[]): ReturnType<typeof importAnswers>
}

interface ApiOptions extends Pick<ServiceOptions, 'googleUrl' | 'bingUrl' | 'limits'> {
  readonly ownDatabase?: boolean
}

function fill(line: AnswerLine): string {
  const base = { prompt: 'best headphones', platform: 'chatgpt', text: 'An answer.' }
  return JSON.stringify({ ...base, collectedAt: '2025-05-10T12:00:00Z', ...line })
}

/** A workspace that there is already. */
function testWorkspace(api: TestApi, id: string): TestWorkspace {
  return {
    id,
    async project(options = {}) {
      const input = { workspaceId: id, name: 'Acme', domain: 'acme.com', ...options }
      return (await createProject(api.db, input, signingSecret)).id
    },
    key: (options = {}) =>
      createKey(api.db, { workspaceId: id, scopes: options.scopes ?? ['read'], ...options }),
    async session() {
      const where = { workspaceId: id, role: 'owner' } as const
      const { user } = await api.db.membership.findFirstOrThrow({ where, include: { user: true } })
      const signedIn = await signIn(api.db, user.email)
      if (!('token' in signedIn)) throw new Error(`${user.email} is a member of no workspace`)
      return signedIn.token
    },
    load: (projectId, lines) => importAnswers(api, { projectId, lines: lines.map(fill) }),
  }
}

/**
 * Starts an API for the tests of one file, with the settings and the log given.
 * @param options `ownDatabase` gives the file a catalog that no other test uses: a worker takes every job of its
 *   database. The warehouse is shared even so.
 */
export function useApi(
  env: Record<string, string> = {},
  log: Logger = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  { ownDatabase = false, limits = {}, googleUrl, bingUrl }: ApiOptions = {},
): TestApi {
  const sharedUrl = inject('databaseUrl')
  const databaseUrl = ownDatabase ? newDatabaseUrl(sharedUrl) : sharedUrl
  const clickhouseUrl = inject('clickhouseUrl')
  const db = ownDatabase ? createCatalog(databaseUrl) : sharedCatalog()
  const warehouse = createWarehouse({ url: clickhouseUrl, log })
  let url = ''
  let close = async () => {}
  let drop = async () => {}
  const settings = readSettings(env)
  const metrics = openMetrics('api')
  const cursorSecret = randomBytes(32).toString('base64url')
  const secrets = { cursorSecret, signingSecrets: [signingSecret] as const }
  beforeAll(async () => {
    if (ownDatabase) drop = (await createTestDatabase(sharedUrl, databaseUrl)).drop
    const stores = { databaseUrl, clickhouseUrl, secrets }
    const api = await startApi({ settings, ...stores, log, metrics, limits, googleUrl, bingUrl })
    // A test that names a port needs the addresses that the API gives.
    const port = env.PORT === undefined ? 0 : settings.PORT
    await new Promise<void>((resolve) => api.server.listen(port, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`
    close = api.close
  })
  const ends: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
    await Promise.all([close(), ownDatabase && db.$disconnect(), warehouse.close()])
    await drop()
    // The modules of a file stay for as long as the process: an API that has ended must not stay with them.
    close = async () => {}
  })
  const api: TestApi = {
    get url() {
      return url
    },
    db,
    databaseUrl,
    warehouse,
    settings,
    googleUrl,
    bingUrl,
    secrets,
    log,
    metricsText: metrics.text,
    atEnd: (end) => void ends.push(end),
    async workspace(plan) {
      const made = await createWorkspace(db, { name: 'Test', ...(plan ? { plan } : {}) })
      return testWorkspace(api, made.id)
    },
    get: (path, key, headers = {}) =>
      fetch(url + path, { headers: { ...credentials(key), ...headers } }),
    graphql: (query, key, variables = {}) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { ...credentials(key), 'content-type': 'application/json' },
        body: JSON.stringify({ query: withProblemFragments(query), variables }),
      }),
  }
  return api
}
