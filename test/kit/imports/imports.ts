import { afterAll, inject } from 'vitest'
import { type FactTable, factTables } from '../../../imports/loads/loads.ts'
import type { ImportStores } from '../../../imports/loads/runner.ts'
import { createWarehouse } from '../../../warehouse/client.ts'
import { type Raw, run } from '../../../warehouse/run.ts'
import { sharedCatalog } from '../catalog.ts'

/** The shared engines as an import sees them. */
export function useStores(): ImportStores {
  const databaseUrl = inject('databaseUrl')
  const warehouse = createWarehouse({ url: inject('clickhouseUrl') })
  afterAll(() => warehouse.close())
  return { db: sharedCatalog(), databaseUrl, warehouse }
}

/** Acme (acme.com, also "Acme Sound" and acme.store) with its competitors Bolt (bolt.io) and Crest (crest.org). */
export async function makeProject({ db }: ImportStores, id?: string): Promise<string> {
  const workspace = await db.workspace.create({ data: { name: 'Test' } })
  const project = await db.project.create({
    data: {
      ...(id ? { id } : {}),
      workspaceId: workspace.id,
      name: 'Acme',
      domain: 'acme.com',
      aliases: { create: [{ text: 'Acme Sound' }] },
      ownDomains: { create: [{ domain: 'acme.store' }] },
      competitors: {
        create: [
          { name: 'Bolt', domain: 'bolt.io', aliases: { create: [{ text: 'Bolt Audio' }] } },
          { name: 'Crest', domain: 'crest.org' },
        ],
      },
    },
  })
  return project.id
}

/** Every visible row of a table, without the columns that differ between loads. */
export async function visibleRows(
  { db, warehouse }: ImportStores,
  projectId: string,
  table: FactTable,
): Promise<Raw[]> {
  const { visibleLoad, deadLoads } = await db.project.findUniqueOrThrow({
    where: { id: projectId },
  })
  return run(warehouse, {
    id: 'test.rows',
    sql: `SELECT * EXCEPT(${table === 'citations' ? 'load_seq, loaded_at' : 'load_seq'}) FROM ${table}
      WHERE project_id = {projectId:UUID} AND load_seq <= {visibleLoad:UInt32}
        AND load_seq NOT IN {deadLoads:Array(UInt32)}
      ORDER BY ALL`,
    params: { projectId, visibleLoad, deadLoads },
    timeoutMs: 60_000,
    row: (raw) => raw,
  })
}

/** How many rows of each table readers see. */
export async function visibleCounts(
  stores: ImportStores,
  projectId: string,
): Promise<Record<FactTable, number>> {
  const counts = await Promise.all(
    factTables.map(async (table) => {
      const rows = await visibleRows(stores, projectId, table)
      return [table, rows.length] as const
    }),
  )
  return Object.fromEntries(counts) as Record<FactTable, number>
}

/** All that imports may change of a project, but for times, load numbers and the ids of topics. */
export async function everything(stores: ImportStores, projectId: string) {
  const { db } = stores
  const of = { where: { projectId } } as const
  const facts = factTables.map((table) => visibleRows(stores, projectId, table))
  const [prompts, revisions, topics, links, locations, models, project] = await Promise.all([
    db.prompt.findMany({
      ...of,
      select: { id: true, text: true, isTracked: true, isBranded: true, currentRevision: true },
      orderBy: { id: 'asc' },
    }),
    db.promptRevision.findMany({
      ...of,
      omit: { createdAt: true },
      orderBy: [{ promptId: 'asc' }, { revision: 'asc' }],
    }),
    db.topic.findMany({ ...of, select: { name: true }, orderBy: { name: 'asc' } }),
    db.promptTopic.findMany({
      where: { prompt: { projectId } },
      select: { promptId: true, position: true, topic: { select: { name: true } } },
      orderBy: [{ promptId: 'asc' }, { topic: { name: 'asc' } }],
    }),
    db.location.findMany({ ...of, omit: { createdAt: true }, orderBy: { id: 'asc' } }),
    db.projectModel.findMany({ ...of, orderBy: [{ platform: 'asc' }, { model: 'asc' }] }),
    db.project.findUniqueOrThrow({
      where: { id: projectId },
      select: { dataAvailableFrom: true },
    }),
  ])
  const catalog = { prompts, revisions, topics, links, locations, models, project }
  return { catalog, facts: await Promise.all(facts) }
}
