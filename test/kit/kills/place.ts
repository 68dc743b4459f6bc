import { locateDataDir, readSecrets } from '../../../cli/folder/data-dir.ts'
import { catalogUrl, warehouseUrl } from '../../../cli/service/engines.ts'
import { makeIngestKey, makeSiteToken } from '../../../core/tokens.ts'
import { importAnswers } from '../../../imports/answers/answers.ts'
import { createCatalog } from '../../../prisma/client.ts'
import { createKey } from '../../../resolvers/keys/keys.ts'
import { createProject } from '../../../resolvers/projects/create.ts'
import { createWorkspace } from '../../../resolvers/workspaces.ts'
import { createWarehouse } from '../../../warehouse/client.ts'
import { holderOf, type TestService } from '../service.ts'
import { storedPaths } from '../tracker/folder.ts'
import type { Sender } from '../tracker/service.ts'
import type { Stored, WriteKind } from './ledger.ts'

/** A question whose numbers never change. */
interface Read {
  readonly path: string
  readonly init: RequestInit
  readonly numbersOf: (body: never) => unknown
  /** As JSON. */
  readonly expected: string
}

/** Where a load writes and reads. */
export interface Place {
  readonly url: string
  readonly trackerUrl: string
  readonly projectId: string
  readonly keys: readonly string[]
  readonly sender: Sender
  readonly reads: readonly Read[]
}

async function openStores({ dataDir }: TestService) {
  const secrets = await readSecrets(locateDataDir({ DATA_DIR: dataDir }))
  const owner = await holderOf(dataDir)
  const databaseUrl = catalogUrl(secrets, owner?.catalog?.port ?? 0)
  const db = createCatalog(databaseUrl)
  const warehouse = createWarehouse({ url: warehouseUrl(secrets, owner?.warehouse?.port ?? 0) })
  const close = () => Promise.all([db.$disconnect(), warehouse.close()])
  return { secrets, databaseUrl, db, warehouse, close }
}

/** Three answers in May 2025: two of ChatGPT, one of which names Acme, and one of Perplexity, which names it too. */
const answers = [
  { platform: 'chatgpt', text: 'Acme is best.' },
  { platform: 'chatgpt', text: 'Nobody is.' },
  { platform: 'perplexity', text: 'Buy Acme.' },
].map((answer, at) =>
  JSON.stringify({ ...answer, prompt: 'who is best?', collectedAt: `2025-05-1${at}T12:00:00Z` }),
)

/** How often the read of each door runs at once. */
const readersOfDoor = 2

interface RestAnswers {
  readonly pagination?: { readonly totalCount: number }
  readonly answers?: readonly { readonly brandMentioned: boolean }[]
}

function readsOf(projectId: string): Read[] {
  const platforms = [
    ['chatgpt', 2],
    ['perplexity', 1],
  ]
  const rest: Read = {
    path: `/api/mcp/projects/${projectId}/answers?from=2025-05-01&to=2025-05-31`,
    init: {},
    numbersOf: ({ pagination, answers: rows = [] }: RestAnswers) => [
      pagination?.totalCount,
      rows.filter((row) => row.brandMentioned).length,
    ],
    expected: JSON.stringify([3, 2]),
  }
  const query = `{ project(id: "${projectId}") { answers(window: { from: "2025-05-01", to: "2025-05-31" }) { totalCount nodes { platform } } } }`
  const graph: Read = {
    path: '/graphql',
    init: { method: 'POST', body: JSON.stringify({ query }) },
    numbersOf: ({
      data,
    }: {
      data?: { project?: { answers?: { totalCount: number; nodes: { platform: string }[] } } }
    }) => {
      const { totalCount, nodes = [] } = data?.project?.answers ?? {}
      return [
        totalCount,
        platforms.map(([name]) => [name, nodes.filter(({ platform }) => platform === name).length]),
      ]
    },
    expected: JSON.stringify([3, platforms]),
  }
  return [rest, graph].flatMap((read) => Array.from({ length: readersOfDoor }, () => read))
}

/** Makes a project to write to, and a project to read that nobody writes to. */
export async function makePlace(service: TestService): Promise<Place> {
  const { secrets, databaseUrl, db, warehouse, close } = await openStores(service)
  const [secret] = secrets.signingSecrets
  const { id: workspaceId } = await createWorkspace(db, { name: 'Kills', plan: 'enterprise' })
  const [written, still] = await Promise.all(
    ['acme.com', 'acme.org'].map((domain) =>
      createProject(db, { workspaceId, name: 'Acme', domain }, secret),
    ),
  )
  const projectId = written?.id ?? ''
  await importAnswers(
    { db, databaseUrl, warehouse },
    { projectId: still?.id ?? '', lines: answers },
  )
  const grants = { scopes: ['read', 'write', 'admin'], capabilities: ['prompt:draft'] } as const
  const keys = await Promise.all(
    Array.from({ length: 12 }, () =>
      createKey(db, {
        workspaceId,
        scopes: [...grants.scopes],
        capabilities: [...grants.capabilities],
      }),
    ),
  )
  const ingest = await db.ingestKey.create({ data: { workspaceId } })
  await close()
  return {
    url: service.url,
    trackerUrl: service.trackerUrl,
    projectId,
    keys: keys.map(({ key }) => key),
    sender: {
      key: makeIngestKey(secret, { id: ingest.id, workspaceId }),
      siteToken: makeSiteToken(secret, { projectId, workspaceId }),
    },
    reads: readsOf(still?.id ?? ''),
  }
}

/** What is in the stores of the project that is written to, by kind of write. */
export async function storedIn(
  service: TestService,
  { projectId, url, keys }: Place,
): Promise<Record<WriteKind, Stored>> {
  const { db, warehouse, close } = await openStores(service)
  const of = { where: { projectId } }
  const [prompts, topics, reports, paths] = await Promise.all([
    db.prompt.findMany(of),
    db.topic.findMany(of),
    db.report.findMany(of),
    storedPaths(warehouse, projectId),
  ])
  await close()
  const rows = prompts.map(({ text, id }) => [text, id] as const)
  return {
    restPrompts: rows.filter(([text]) => text.startsWith('rest ')),
    graphPrompts: rows.filter(([text]) => text.startsWith('graph ')),
    graphTopics: topics.map(({ name, id }) => [name, id]),
    restReports: reports.map(({ title, id }) => [title, id]),
    imports: await answersOf(url, keys[0] ?? '', projectId),
    events: paths.map((path) => [path, '']),
  }
}

interface AnswerPage {
  readonly data: {
    readonly project: {
      readonly answers: {
        readonly nodes: readonly { readonly promptText: string }[]
        readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
      }
    }
  }
}

/** All answers of a project, as a client pages through them. */
async function answersOf(url: string, key: string, projectId: string): Promise<Stored> {
  const stored: [string, string][] = []
  const query = `query ($after: String) { project(id: "${projectId}") { answers(window: { from: "2025-05-01", to: "2025-05-31" }, first: 500, after: $after) { nodes { promptText } pageInfo { endCursor hasNextPage } } } }`
  let after: string | null = null
  for (;;) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response: Response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables: { after } }),
    })
    const { nodes, pageInfo } = ((await response.json()) as AnswerPage).data.project.answers
    stored.push(...nodes.map(({ promptText }): [string, string] => [promptText, '']))
    if (!pageInfo.hasNextPage) return stored
    after = pageInfo.endCursor
  }
}
