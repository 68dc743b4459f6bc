import { setTimeout as sleep } from 'node:timers/promises'
import { locateDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { catalogUrl, warehouseUrl } from '../../cli/service/engines.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { createCatalog } from '../../prisma/client.ts'
import { createSiteToken } from '../../resolvers/connections/site-tokens.ts'
import { createIngestKey } from '../../resolvers/keys/ingest-keys.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { run } from '../../warehouse/run.ts'
import { plainFetch } from './rest/checked-fetch.ts'
import { holderOf, type TestService } from './service.ts'
import { storedPaths } from './tracker/folder.ts'
import { type Sender, sendHits } from './tracker/service.ts'

/** Each client has a key of its own, which may ask 600 times a minute. */
const pauseMs = 110
/** Answers of one import. */
const linesOfImport = 10

/** The stores of a running service. */
export async function openStores({ dataDir }: Pick<TestService, 'dataDir'>) {
  const secrets = await readSecrets(locateDataDir({ DATA_DIR: dataDir }))
  const owner = await holderOf(dataDir)
  const databaseUrl = catalogUrl(secrets, owner?.catalog?.port ?? 0)
  const db = createCatalog(databaseUrl)
  const warehouse = createWarehouse({ url: warehouseUrl(secrets, owner?.warehouse?.port ?? 0) })
  const close = () => Promise.all([db.$disconnect(), warehouse.close()])
  return { secrets, databaseUrl, db, warehouse, close }
}

/** A project that is written all the time, and one of three answers that is only read. */
export interface BusyProject {
  readonly projectId: string
  readonly still: string
  /** One for each client. */
  readonly keys: readonly string[]
  readonly sender: Sender
}

const lineOf = (prompt: string, minute: number) =>
  JSON.stringify({
    prompt,
    platform: 'chatgpt',
    text: 'Acme is best.',
    collectedAt: new Date(Date.UTC(2025, 4, 10, 12, minute)).toISOString(),
  })

export async function makeBusyProject(service: TestService): Promise<BusyProject> {
  const stores = await openStores(service)
  const { db, secrets } = stores
  const [secret] = secrets.signingSecrets
  const { id: workspaceId } = await createWorkspace(db, { name: 'Busy', plan: 'enterprise' })
  const make = async (domain: string) =>
    (await createProject(db, { workspaceId, name: 'Acme', domain }, secret)).id
  const [projectId, still] = [await make('acme.com'), await make('acme.org')]
  await importAnswers(stores, { projectId: still, lines: [1, 2, 3].map((n) => lineOf('best?', n)) })
  const keys = []
  for (let client = 0; client < 5; client++) {
    const capabilities = ['prompt:draft' as const]
    keys.push(
      await createKey(db, { workspaceId, scopes: ['read', 'write', 'admin'], capabilities }),
    )
  }
  const ingest = await createIngestKey(db, commandLine, workspaceId, {}, secret)
  const { siteToken } = await createSiteToken(db, commandLine, projectId, {}, secret)
  await stores.close()
  const sender = { key: ingest.key, siteToken }
  return { projectId, still, keys: keys.map(({ key }) => key), sender }
}

const kinds = ['prompts', 'topics', 'imports', 'events'] as const
type Kind = (typeof kinds)[number]

/** Writes of one kind, by the text that makes each the only one. */
interface Ledger {
  /** The id that the service gave; empty where it gives none. */
  readonly acknowledged: Map<string, string>
  /** Sent, and nobody knows whether it was taken. */
  readonly unknown: Set<string>
}

/** A body of REST, or what stands in the only field of an answer of GraphQL. */
interface Result {
  readonly retryable?: boolean
  readonly prompts?: readonly { readonly id: string }[]
  readonly subjectId?: string
  readonly loaded?: number
  readonly skipped?: number
  readonly pagination?: { readonly totalCount: number }
  readonly answers?: { readonly totalCount?: number }
}

interface GraphBody {
  readonly data?: Readonly<Record<string, Result>>
  readonly errors?: readonly { readonly extensions: { readonly retryable?: boolean } }[]
}

interface Request {
  readonly path: string
  readonly body?: object
}

/** Undefined when there was no answer, or half of one. */
async function ask(
  url: string,
  key: string,
  { path, body }: Request,
  headers = {},
): Promise<Result | undefined> {
  try {
    const response = await plainFetch(url + path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const answer = (await response.json()) as GraphBody & Result
    if (answer.errors) {
      return { retryable: answer.errors.every(({ extensions }) => extensions.retryable === true) }
    }
    return answer.data ? Object.values(answer.data)[0] : answer
  } catch {
    return undefined
  }
}

const retry = '... on Problem { retryable }'
const inGraph = (query: string, variables: object) => ({
  path: '/graphql',
  body: { query, variables },
})

/** How each kind of write is sent, and the id that its answer gives. */
const writes = {
  prompts: {
    request: (projectId: string, text: string): Request => ({
      path: `/api/mcp/projects/${projectId}/prompts`,
      body: { prompts: [{ text }] },
    }),
    idIn: ({ prompts }: Result) => prompts?.[0]?.id,
  },
  topics: {
    request: (project: string, name: string) =>
      inGraph(
        `mutation ($project: ID!, $name: String!) {
          addTopic(projectId: $project, name: $name) { ... on ProjectChange { subjectId } ${retry} }
        }`,
        { project, name },
      ),
    idIn: ({ subjectId }: Result) => subjectId,
  },
  imports: {
    request: (project: string, text: string) =>
      inGraph(
        `mutation ($project: ID!, $lines: String!) {
          importAnswers(projectId: $project, content: $lines) { ... on ImportResult { loaded skipped } ${retry} }
        }`,
        {
          project,
          lines: Array.from({ length: linesOfImport }, (_, at) => lineOf(text, at)).join('\n'),
        },
      ),
    idIn: ({ loaded = 0, skipped = 0 }: Result) =>
      loaded + skipped === linesOfImport ? '' : undefined,
  },
}

export type Load = ReturnType<typeof startLoad>

/** Writes and reads at both doors, and events to the tracker, until it is stopped. */
export function startLoad({ url, trackerUrl }: TestService, project: BusyProject) {
  const makeLedger = (): Ledger => ({ acknowledged: new Map(), unknown: new Set() })
  const ledgers: Record<Kind, Ledger> = {
    prompts: makeLedger(),
    topics: makeLedger(),
    imports: makeLedger(),
    events: makeLedger(),
  }
  const reads = { right: 0 }
  const surprises: string[] = []
  let isOver = false
  const repeat = async (work: (at: number) => Promise<void>) => {
    for (let at = 0; !isOver; at++) {
      await work(at)
      await sleep(pauseMs)
    }
  }

  /** Sends a write until it has an answer: whatever is lost, its repetition finds. */
  const write = async (kind: keyof typeof writes, key: string, text: string) => {
    const { acknowledged, unknown } = ledgers[kind]
    const { request, idIn } = writes[kind]
    unknown.add(text)
    // An import needs no key: a repetition skips what is there.
    const headers = kind === 'imports' ? {} : { 'idempotency-key': text }
    for (;;) {
      const result = await ask(url, key, request(project.projectId, text), headers)
      const id = result && idIn(result)
      if (id !== undefined) {
        unknown.delete(text)
        acknowledged.set(text, id)
        return
      }
      if (result && !result.retryable) {
        surprises.push(`${kind} ${text}: ${JSON.stringify(result)}`)
        return
      }
      await sleep(2 * pauseMs)
    }
  }

  /** An event is sent once: the tracker has no word for a repetition. */
  const track = async (at: number) => {
    const { acknowledged, unknown } = ledgers.events
    const paths = [0, 1, 2].map((event) => `/${at}-${event}`)
    for (const path of paths) unknown.add(path)
    const status = await sendHits(trackerUrl, project.sender, paths).catch(() => 0)
    if (status !== 0) for (const path of paths) unknown.delete(path)
    if (status === 202) for (const path of paths) acknowledged.set(path, '')
  }

  const window = { from: '2025-05-01', to: '2025-05-31' }
  const readers: Request[] = [
    { path: `/api/mcp/projects/${project.still}/answers?${new URLSearchParams(window)}` },
    inGraph(
      'query ($id: ID!, $window: Window) { project(id: $id) { answers(window: $window) { totalCount } } }',
      { id: project.still, window },
    ),
  ]
  const read = async (key: string, request: Request) => {
    const result = await ask(url, key, request)
    if (result === undefined || result.retryable) return
    const count = (result.pagination ?? result.answers)?.totalCount
    if (count === 3) reads.right++
    else surprises.push(`${request.path}: ${JSON.stringify(result).slice(0, 500)}`)
  }

  const [first = '', second = '', third = '', ...others] = project.keys
  const clients = [
    repeat((at) => write('prompts', first, `prompt ${at}?`)),
    repeat((at) => write('topics', second, `topic ${at}`)),
    repeat((at) => write('imports', third, `import ${at}`)),
    repeat(track),
    ...readers.map((request, at) => repeat(() => read(others[at] ?? '', request))),
  ]
  return {
    ledgers,
    reads,
    /** Answers that are neither right nor a reason to retry. */
    surprises,
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

type Stored = readonly (readonly [text: string, id: string])[]

/** What the stores have of the project, by kind of write: the id of each text, as often as it is there. */
export async function storedOf(
  service: TestService,
  { projectId }: Pick<BusyProject, 'projectId'>,
): Promise<Record<Kind, Stored>> {
  const { db, warehouse, close } = await openStores(service)
  const where = { projectId }
  const prompts = await db.prompt.findMany({ where })
  const topics = await db.topic.findMany({ where })
  const { visibleLoad } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
  const answers = await run<{ prompt: string; answers: number }>(warehouse, {
    id: 'test.answers',
    sql: `SELECT toString(prompt_id) AS prompt, toUInt32(count()) AS answers FROM answers
           WHERE project_id = {projectId:UUID} AND load_seq <= {visibleLoad:UInt32} GROUP BY prompt`,
    params: { projectId, visibleLoad },
  })
  const paths = await storedPaths(warehouse, projectId)
  await close()
  const textOf = new Map(prompts.map(({ id, text }) => [id, text]))
  return {
    prompts: prompts.flatMap(({ text, id }) => (text.startsWith('prompt ') ? [[text, id]] : [])),
    topics: topics.map(({ name, id }) => [name, id]),
    // Half of an import has a name of its own, which nothing acknowledged.
    imports: answers.map(({ prompt, answers: count }) => [
      count === linesOfImport ? `${textOf.get(prompt)}` : `${count} of ${textOf.get(prompt)}`,
      '',
    ]),
    events: paths.map((path) => [path, '']),
  }
}

/** What of the acknowledged writes is not as it was acknowledged; empty lists where all is well. */
export function faultsOf(
  ledgers: Load['ledgers'],
  stored: Record<Kind, Stored>,
): Record<Kind, object> {
  const faults = (kind: Kind) => {
    const { acknowledged, unknown } = ledgers[kind]
    const ids = new Map(stored[kind])
    const texts = stored[kind].map(([text]) => text)
    return {
      lost: [...acknowledged.keys()].filter((text) => !ids.has(text)),
      twice: texts.filter((text, at) => texts.indexOf(text) !== at),
      otherId: [...acknowledged].filter(([text, id]) => id && (ids.get(text) ?? id) !== id),
      foreign: texts.filter((text) => !acknowledged.has(text) && !unknown.has(text)),
    }
  }
  return {
    prompts: faults('prompts'),
    topics: faults('topics'),
    imports: faults('imports'),
    events: faults('events'),
  }
}
