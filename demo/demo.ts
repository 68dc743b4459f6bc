import type { DataDir } from '../cli/folder/data-dir.ts'
import { hashApiKey } from '../core/access.ts'
import { plans } from '../core/plans.ts'
import type { Catalog, Db } from '../prisma/client.ts'
import { createKey } from '../resolvers/keys/keys.ts'
import { hasLocalOwner, localOwner } from '../resolvers/members/local-owner.ts'
import { createProject } from '../resolvers/projects/create.ts'
import { createWorkspace } from '../resolvers/workspaces.ts'
import { demoProject } from './answers.ts'
import { askingProject } from './collecting/world.ts'
import type { DemoStores } from './data.ts'
import { type DemoFile, readDemo, writeDemo } from './file.ts'

interface Secrets {
  readonly signingSecrets: readonly [string, ...string[]]
}

/** The demonstration project; `key` is null when someone has revoked it, or put the workspace on a plan without API keys. */
export interface Demo {
  readonly projectId: string
  readonly key: string | null
}

/**
 * The demonstration: a workspace with two projects, and a key that reads both, made at the first call. The first has 90
 * days of answers and crawls, and the second a schedule. A call that was cut off is completed by the next one.
 * @throws {DemoDamaged}
 */
export async function makeDemo(
  dataDir: DataDir,
  secrets: Secrets,
  stores: DemoStores,
): Promise<Demo> {
  const known = await readDemo(dataDir)
  const found = known && (await findKey(stores.db, known))
  const demo = known && found ? known : await createDemo(dataDir, secrets, stores.db)
  if (!demo.isComplete) {
    // Only the first start needs the code of all imports.
    const { loadDemoData } = await import('./data.ts')
    await loadDemoData(stores, demo, secrets.signingSecrets[0])
    await writeDemo(dataDir, { ...demo, isComplete: true })
  }
  return { projectId: demo.projectId, key: found && !isUsable(found) ? null : demo.key }
}

function findKey(catalog: Catalog, demo: DemoFile) {
  const workspace = { projects: { some: { id: demo.projectId } } }
  return catalog.apiKey.findUnique({
    where: { hash: hashApiKey(demo.key), workspace },
    select: { revokedAt: true, workspace: { select: { plan: true } } },
  })
}

type FoundKey = NonNullable<Awaited<ReturnType<typeof findKey>>>

const isUsable = ({ revokedAt, workspace }: FoundKey) =>
  revokedAt === null && plans[workspace.plan].apiKeys

async function createDemoProject(
  db: Db,
  workspaceId: string,
  { aliases, competitors, ...about }: typeof demoProject | typeof askingProject,
  signingSecret: string,
): Promise<string> {
  const project = {
    workspaceId,
    ...about,
    aliases: aliases.map(asAlias),
    competitors: competitors.map((each) => ({ ...each, aliases: each.aliases.map(asAlias) })),
  }
  return (await createProject(db, project, signingSecret)).id
}

// The file is written before the commit. After a crash in between its key is unknown, and a new demo is created.
async function createDemo(dataDir: DataDir, secrets: Secrets, catalog: Catalog): Promise<DemoFile> {
  return catalog.$transaction(async (db) => {
    const owner = (await hasLocalOwner(db)) ? { ownerEmail: localOwner } : {}
    const { id: workspaceId } = await createWorkspace(db, { name: 'Demo', ...owner })
    const [secret] = secrets.signingSecrets
    const projectId = await createDemoProject(db, workspaceId, demoProject, secret)
    const askingProjectId = await createDemoProject(db, workspaceId, askingProject, secret)
    const { key } = await createKey(db, {
      workspaceId,
      name: 'Demo',
      scopes: ['read'],
      // For the change that GraphiQL shows.
      capabilities: ['prompt:draft'],
    })
    const endDay = new Date().toISOString().slice(0, 10)
    const demo = { workspaceId, projectId, askingProjectId, key, endDay, isComplete: false }
    await writeDemo(dataDir, demo)
    return demo
  })
}

const asAlias = (text: string) => ({ text })
