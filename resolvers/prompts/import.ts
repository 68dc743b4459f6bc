import type { ParsedLocation } from '../../core/countries.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, locationId } from '../../core/ids.ts'
import type { ImportedPrompt } from '../../core/prompt-input.ts'
import { questionKey, textHash } from '../../core/question.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, recordEdits } from '../shared/audit-trail.ts'
import { refuseBeyondPlan, reservePrompts } from '../shared/quotas.ts'
import { inTransaction } from '../shared/transaction.ts'
import { brandFinder } from './add.ts'
import { refuseInactivePitch } from './change.ts'
import {
  addedLocations,
  addedPromptLocations,
  addedPromptTopics,
  addedRevisions,
  addedTopics,
  analyzed,
  createdPrompts,
  decidedChanges,
  foundForUndo,
  foundPrompts,
  importSummary,
  keptStagedTopics,
  lackingLocations,
  lackingTopics,
  lockedPrompts,
  patience,
  previewedLines,
  stagedLines,
  staging,
  updatedPrompts,
  usualPatience,
  wantedPrompts,
} from './import.sql.ts'
import { keptProject, oneWriter } from './prompts.sql.ts'

/** Counts of the prompts that an import wrote. */
export interface PromptsWritten {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Lines whose prompt an earlier line of the import names. */
  readonly repeated: number
}

type Batches = AsyncIterable<readonly ImportedPrompt[]>

/** A file may come from a slow pipe. While lines are read, the import holds no lock. */
const readingMs = 30 * 60 * 1000

async function findProject(tx: Db, id: string) {
  if (!isUuid(id)) throw notFound()
  const found = await tx.project.findUnique({
    where: { id },
    select: {
      id: true,
      workspaceId: true,
      kind: true,
      isActive: true,
      workspace: { select: { plan: true } },
    },
  })
  if (!found) throw notFound()
  const { workspace, ...project } = found
  refuseInactivePitch(project)
  return { ...project, plan: workspace.plan }
}

/** A row of `Location`. */
const placeOf = (projectId: string, location: ParsedLocation) => ({
  ...location,
  id: locationId(projectId, location.label),
})

async function stage(tx: Db, projectId: string, batches: Batches): Promise<void> {
  await tx.$queryRawUnsafe(patience, String(readingMs))
  await tx.$executeRawUnsafe(staging)
  const namesBrand = await brandFinder(tx, projectId)
  for await (const batch of batches) {
    const rows = batch.map(
      ({ intentCategory, keywordSearchVolume, keywordDifficulty, location, ...line }) => {
        const hash = questionKey(line.text)
        return {
          ...line,
          hash,
          id: idOf(projectId, 'prompt', textHash(line.text)),
          ...(location && { place: placeOf(projectId, location) }),
          ...(line.isBranded === undefined ? { namesBrand: namesBrand(line.text) } : {}),
          intent: intentCategory,
          volume: keywordSearchVolume,
          difficulty: keywordDifficulty,
        }
      },
    )
    await tx.$executeRawUnsafe(stagedLines, JSON.stringify(rows))
  }
  await tx.$executeRawUnsafe(usualPatience)
}

interface Summary {
  readonly prompts: number
  readonly created: number
  readonly updated: number
  readonly lines: number
  readonly requested: number
}

/** Decides what the staged lines change, and locks the prompts and topics concerned. */
async function decide(tx: Db, projectId: string): Promise<Summary & { topics: number }> {
  const found = await tx.$queryRawUnsafe<unknown[]>(keptProject, projectId)
  if (found.length === 0) throw notFound()
  await tx.$executeRawUnsafe(oneWriter, projectId)
  await tx.$executeRawUnsafe(analyzed('staged_prompt'))
  await tx.$executeRawUnsafe(foundPrompts, projectId)
  await tx.$executeRawUnsafe(analyzed('staged_prompt'))
  await tx.$executeRawUnsafe(wantedPrompts)
  await tx.$executeRawUnsafe(analyzed('wanted_prompt'))
  await tx.$queryRawUnsafe(lockedPrompts)
  const topics = await tx.$executeRawUnsafe(addedTopics, projectId)
  await tx.$queryRawUnsafe(keptStagedTopics, projectId)
  await tx.$executeRawUnsafe(addedLocations, projectId)
  await tx.$executeRawUnsafe(lackingTopics, projectId)
  await tx.$executeRawUnsafe(analyzed('lacking_topic'))
  await tx.$executeRawUnsafe(lackingLocations, projectId)
  await tx.$executeRawUnsafe(analyzed('lacking_location'))
  await tx.$executeRawUnsafe(decidedChanges)
  const [summary] = await tx.$queryRawUnsafe<Summary[]>(importSummary)
  if (!summary) throw new Error('an aggregate without a row')
  return { ...summary, topics }
}

/** Reads the lines and decides what they change, within the plan of the workspace. */
async function plan(tx: Db, projectId: string, batches: Batches) {
  const project = await findProject(tx, projectId)
  await stage(tx, project.id, batches)
  const { prompts, lines, topics, created, updated, requested } = await decide(tx, project.id)
  if (requested > 0) await refuseBeyondPlan(tx, project, requested)
  const unchanged = prompts - created - updated
  const counts: PromptsWritten = { created, updated, unchanged, repeated: lines - prompts }
  return { project, topics, requested, counts }
}

async function write(tx: Db, projectId: string): Promise<void> {
  const at = new Date().toISOString()
  await tx.$executeRawUnsafe(createdPrompts, projectId, at)
  await tx.$executeRawUnsafe(updatedPrompts, at)
  await tx.$executeRawUnsafe(addedRevisions, at)
  await tx.$executeRawUnsafe(addedPromptTopics)
  await tx.$executeRawUnsafe(addedPromptLocations)
}

/** What a line of an import would do. */
export interface PreviewedLine {
  readonly line: number
  readonly text: string
  readonly topics: readonly string[]
  readonly intent: ImportedPrompt['intentCategory'] | null
  readonly volume: number | null
  readonly location: string | null
  readonly isTracked: boolean | null
  /** The revision that it would make; null for a prompt that does not change. */
  readonly change: 'created' | 'edited' | 'archived' | 'unarchived' | null
  /** Whether an earlier line asks the same question. */
  readonly isRepeated: boolean
  /** The prompt that asks the question already. */
  readonly promptId: string | null
  readonly promptText: string | null
}

export interface PromptsPreview extends PromptsWritten {
  readonly lines: readonly PreviewedLine[]
}

/** Ends the transaction of a preview, which changes nothing. */
class Previewed extends Error {
  readonly preview: PromptsPreview

  constructor(preview: PromptsPreview) {
    super('previewed')
    this.preview = preview
  }
}

/**
 * What an import would write. Changes nothing, and needs no import lock.
 * @param most lines that are described
 * @throws {Fault} as of `importPrompts`
 */
export async function previewPrompts(
  db: Db,
  projectId: string,
  batches: Batches,
  most: number,
): Promise<PromptsPreview> {
  const work = async (tx: Db): Promise<never> => {
    const { counts } = await plan(tx, projectId, batches)
    const shown = await tx.$queryRawUnsafe<PreviewedLine[]>(previewedLines, most)
    throw new Previewed({ ...counts, lines: shown })
  }
  try {
    return await inTransaction(db, work, { timeout: readingMs })
  } catch (error) {
    if (error instanceof Previewed) return error.preview
    throw error
  }
}

/**
 * Creates missing prompts and updates existing ones, all or nothing. Any wording that a prompt ever had finds it. Each
 * changed prompt gets one revision; the import gets one audit entry, and keeps what it found for its undo. Needs the
 * import lock.
 * @throws {Fault} `not_found`; `INACTIVE_PITCH_PROMPT_MUTATION`; `quota_exceeded` when the tracked prompts exceed the
 *   allowance; errors of reading the batches
 */
export function importPrompts(
  db: Db,
  actor: Actor,
  { projectId, importId }: { readonly projectId: string; readonly importId: string },
  batches: Batches,
): Promise<PromptsWritten> {
  const work = async (tx: Db): Promise<PromptsWritten> => {
    const { project, topics, requested, counts } = await plan(tx, projectId, batches)
    const { created, updated } = counts
    if (created + updated > 0) {
      await tx.$executeRawUnsafe(foundForUndo, importId)
      await write(tx, project.id)
      // Last, so that other writes of the workspace wait for no prompt.
      if (requested > 0) await reservePrompts(tx, project, requested, requested)
      const { workspaceId, id } = project
      await recordEdits(tx, actor, { workspaceId, projectId: id }, [
        {
          action: 'prompt.import',
          subject: ['project', id],
          after: { created, updated, newTopics: topics },
        },
      ])
    }
    return counts
  }
  return inTransaction(db, work, { timeout: readingMs })
}
