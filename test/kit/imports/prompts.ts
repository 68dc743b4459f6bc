import { importPromptsCsv, type PromptsCsv } from '../../../imports/prompts/prompts.ts'
import type { Catalog } from '../../../prisma/client.ts'
import { commandLine } from '../../../resolvers/shared/audit-trail.ts'

interface Stores {
  readonly db: Catalog
  readonly databaseUrl: string
}

type Csv = string | Uint8Array | AsyncIterable<Uint8Array>

async function* bytesOf(csv: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csv as string)
}

/** Imports a CSV file as the command line does. */
export function importCsv(
  { db, databaseUrl }: Stores,
  projectId: string,
  csv: Csv,
  options: Partial<PromptsCsv> = {},
) {
  const isWhole = typeof csv === 'string' || csv instanceof Uint8Array
  const file = { projectId, csv: isWhole ? bytesOf(csv) : csv, ...options }
  return importPromptsCsv({ db, databaseUrl }, commandLine, file)
}

/** What an import may change of a project's prompts, but for times. */
export async function promptState(db: Catalog, projectId: string) {
  const prompts = await db.prompt.findMany({
    where: { projectId },
    include: {
      topics: { include: { topic: true }, orderBy: { position: 'asc' } },
      revisions: { orderBy: { revision: 'asc' } },
    },
    orderBy: { text: 'asc' },
  })
  return prompts.map(({ topics, revisions, ...prompt }) => ({
    text: prompt.text,
    intent: prompt.intentCategory,
    branded: prompt.isBranded,
    tracked: prompt.isTracked,
    volume: prompt.keywordSearchVolume,
    difficulty: prompt.keywordDifficulty,
    revision: prompt.currentRevision,
    topics: topics.map(({ position, topic }) => `${position} ${topic.name}`),
    changes: revisions.map(({ change }) => change),
  }))
}
