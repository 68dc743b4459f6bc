import type { DataDir, Secrets } from '../cli/folder/data-dir.ts'
import { hashApiKey } from '../core/access.ts'
import type { Catalog } from '../prisma/client.ts'
import { createKey } from '../resolvers/keys/keys.ts'
import { createProject } from '../resolvers/projects/create.ts'
import { createWorkspace } from '../resolvers/workspaces.ts'
import { demoProject } from './answers.ts'
import type { DemoStores } from './data.ts'
import { type DemoFile, readDemo, writeDemo } from './file.ts'

/** The demonstration project; `key` is null when someone has revoked it. */
export interface Demo {
  readonly projectId: string
  readonly key: string | null
}

/**
 * The demonstration: a workspace with a project, a key that reads it, and 90 days of answers and
 * crawls, made at the first call. A call that was cut off is completed by the next one.
 * @throws {DemoDamaged}
 */
export async function makeDemo(
  dataDir: DataDir,
  secrets: Secrets,
  stores: DemoStores,
): Promise<Demo> {
  const known = await readDemo(dataDir)
  const key = known && (await findKey(stores.db, known))
  const demo = known && key ? known : await createDemo(dataDir, secrets, stores.db)
  if (!demo.isComplete) {
    // Only the first start needs the code of all imports.
    const { loadDemoData } = await import('./data.ts')
    await loadDemoData(stores, demo)
    await writeDemo(dataDir, { ...demo, isComplete: true })
  }
  return { projectId: demo.projectId, key: key?.revokedAt ? null : demo.key }
}

function findKey(catalog: Catalog, demo: DemoFile) {
  return catalog.apiKey.findUnique({
    where: { hash: hashApiKey(demo.key), projectId: demo.projectId },
    select: { revokedAt: true },
  })
}

// The file is written before the commit. After a crash in between its key is unknown, and a new demo is created.
async function createDemo(dataDir: DataDir, secrets: Secrets, catalog: Catalog): Promise<DemoFile> {
  return catalog.$transaction(async (db) => {
    const { aliases, competitors, ...about } = demoProject
    const { id: workspaceId } = await createWorkspace(db, { name: 'Demo' })
    const { id: projectId } = await createProject(
      db,
      {
        workspaceId,
        ...about,
        aliases: aliases.map(asAlias),
        competitors: competitors.map((each) => ({ ...each, aliases: each.aliases.map(asAlias) })),
      },
      secrets.signingSecrets[0],
    )
    const { key } = await createKey(db, {
      ...{ workspaceId, projectId, name: 'Demo' },
      scopes: ['read'],
      // For the change that GraphiQL shows.
      capabilities: ['prompt:draft'],
    })
    const endDay = new Date().toISOString().slice(0, 10)
    const demo = { workspaceId, projectId, key, endDay, isComplete: false }
    await writeDemo(dataDir, demo)
    return demo
  })
}

const asAlias = (text: string) => ({ text })
