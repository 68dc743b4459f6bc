import { notFound } from '../../core/errors.ts'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { type NewPrompt, textHash } from '../../core/prompt-input.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits } from '../shared/audit-trail.ts'
import { isUuid } from '../shared/ids.ts'
import { reservePrompts } from '../shared/quotas.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { refuseInactivePitch, writeChange } from './change.ts'
import { keptProject, keptTopics, lockedImport } from './prompts.sql.ts'
import type { PromptRow } from './prompts.ts'

/** A prompt with its defaults resolved. */
interface Planned {
  readonly text: string
  readonly isBranded: boolean
  readonly topicIds: readonly string[]
}

export interface Addition {
  /** The added prompts, in the order of the request. */
  readonly prompts: readonly PromptRow[]
  /** The error of each prompt that failed. */
  readonly failures: readonly unknown[]
}

async function keepProject(tx: Db, projectId: string): Promise<void> {
  const found = await tx.$queryRawUnsafe<unknown[]>(keptProject, projectId)
  if (found.length === 0) throw notFound(projectId)
}

async function keepTopics(tx: Db, projectId: string, ids: readonly string[]): Promise<void> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return
  const known = await tx.$queryRawUnsafe<{ id: string }[]>(
    keptTopics,
    projectId,
    unique.filter(isUuid),
  )
  const missing = unique.find((id) => known.every((topic) => topic.id !== id))
  if (missing !== undefined) throw notFound(missing)
}

/** Returns a test of whether a text names the project's brand. */
export async function brandFinder(tx: Db, projectId: string): Promise<(text: string) => boolean> {
  const project = await tx.project.findUniqueOrThrow({
    where: { id: projectId },
    select: brandFields,
  })
  const brands = compileBrands(brandsOf(project), await foreignWords())
  return (text) => brands.find(text).some(({ isOwn }) => isOwn)
}

async function plan(
  tx: Db,
  projectId: string,
  prompts: readonly NewPrompt[],
): Promise<readonly Planned[]> {
  const isDecided = prompts.every(({ isBranded }) => isBranded !== undefined)
  const namesBrand = isDecided ? () => false : await brandFinder(tx, projectId)
  return prompts.map(({ text, isBranded = namesBrand(text), topicIds = [] }) => ({
    text,
    isBranded,
    topicIds: [...new Set(topicIds.map((id) => id.toLowerCase()))],
  }))
}

/**
 * Takes over the prompt that an import of answers created with this text. It keeps its answers, and counts toward the
 * allowance from now on. A second prompt would have no answers, and a schedule would ask both.
 */
async function takeOver(tx: Db, projectId: string, { text, isBranded, topicIds }: Planned) {
  const [known] = await tx.$queryRawUnsafe<PromptRow[]>(lockedImport, projectId, textHash(text))
  if (!known) return null
  const { after } = await writeChange(tx, known, {
    data: { isImported: false, isTracked: true, isBranded },
    change: known.isTracked ? 'edited' : 'unarchived',
  })
  const promptId = known.id
  const links = await tx.promptTopic.findMany({ where: { promptId } })
  const first = Math.max(-1, ...links.map(({ position }) => position)) + 1
  const added = topicIds.filter((id) => links.every(({ topicId }) => topicId !== id))
  if (added.length > 0) {
    await tx.promptTopic.createMany({
      data: added.map((topicId, i) => ({ promptId, topicId, position: first + i })),
    })
  }
  return after
}

/** Adds one prompt with its revision and topics, in one transaction. */
function add(db: Db, projectId: string, wanted: Planned) {
  return inTransaction(db, async (tx) => {
    const known = await takeOver(tx, projectId, wanted)
    if (known) return known
    const { text, isBranded, topicIds } = wanted
    const at = new Date()
    const prompt = await tx.prompt.create({
      data: { projectId, text, isBranded, createdAt: at, updatedAt: at, textChangedAt: at },
    })
    const promptId = prompt.id
    const hash = textHash(text)
    const first = { promptId, projectId, text, textHash: hash, createdAt: at }
    await tx.promptRevision.create({ data: { ...first, revision: 1, change: 'created' } })
    if (topicIds.length > 0) {
      await tx.promptTopic.createMany({
        data: topicIds.map((topicId, position) => ({ promptId, topicId, position })),
      })
    }
    return prompt
  })
}

function editOf({ id, text, isBranded }: PromptRow, { topicIds }: Planned): Edit {
  return { action: 'prompt.add', subject: ['prompt', id], after: { text, isBranded, topicIds } }
}

/** Adds each prompt on its own: a failure affects no other prompt. */
async function addEach(tx: Db, projectId: string, planned: readonly Planned[]) {
  const prompts: PromptRow[] = []
  const edits: Edit[] = []
  const failures: unknown[] = []
  for (const wanted of planned) {
    try {
      const made = await add(tx, projectId, wanted)
      prompts.push(made)
      edits.push(editOf(made, wanted))
    } catch (error) {
      failures.push(error)
    }
  }
  return { prompts, edits, failures }
}

/**
 * Adds prompts and tracks them. A fault of the whole batch adds none; after these checks each prompt is added on
 * its own. Texts need not be unique, but a prompt that came with answers is not made a second time.
 * @throws {Fault} `INACTIVE_PITCH_PROMPT_MUTATION`; `not_found` for a topic; `quota_exceeded`
 * @throws the first failure when no prompt was added
 */
export function addPrompts(
  { db, project }: Pick<ProjectScope, 'db' | 'project'>,
  actor: Actor,
  wanted: readonly NewPrompt[],
): Promise<Addition> {
  return inTransaction(db, async (tx) => {
    await keepProject(tx, project.id)
    refuseInactivePitch(project)
    const planned = await plan(tx, project.id, wanted)
    const topicIds = planned.flatMap((each) => each.topicIds)
    await keepTopics(tx, project.id, topicIds)
    await reservePrompts(tx, project, planned.length)
    const { prompts, edits, failures } = await addEach(tx, project.id, planned)
    if (prompts.length === 0) throw failures[0]
    const { workspaceId, id: projectId } = project
    await recordEdits(tx, actor, { workspaceId, projectId }, edits)
    return { prompts, failures }
  })
}
