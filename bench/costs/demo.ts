import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locateDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { makeDemo } from '../../demo/demo.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import type { BenchService } from '../service.ts'

/** Makes the demonstration in the stores of a service. @returns its project, and a maker of keys that read it */
export async function fillDemo({ db, databaseUrl, warehouse }: BenchService) {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
  try {
    const dataDir = locateDataDir({ DATA_DIR: folder })
    const stores = { databaseUrl, db, warehouse }
    const { projectId: project } = await makeDemo(dataDir, await readSecrets(dataDir), stores)
    const { workspaceId } = await db.project.findUniqueOrThrow({ where: { id: project } })
    const newKey = async () => (await createKey(db, { workspaceId, scopes: ['read'] })).key
    return { project, newKey }
  } finally {
    await rm(folder, { recursive: true })
  }
}
