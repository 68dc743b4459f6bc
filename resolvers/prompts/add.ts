import { notFound } from '../../core/errors.ts'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import type { NewPrompt } from '../../core/prompt-input.ts'
import { questionKey } from '../../core/question.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits } from '../shared/audit-trail.ts'
import { reservePrompts } from '../shared/quotas.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { freeKey, refuseInactivePitch, writeChange } from './change.ts'
import { keptProject, keptTopics, lockedPrompts, oneWriter } from './prompts.sql.ts'
import type { PromptRow } from './prompts.ts'
import { findByQuestion } from './questions.ts'

/** A prompt with its defaults resolved. */
interface Planned {
  readonly text: string
  readonly key: string
  readonly isBranded: boolean
  readonly topicIds: readonly string[]
}

export interface Addition {
  /** The prompts of the request, in its order. */
  readonly prompts: readonly PromptRow[]
  /** Those of them that asked the question before. */
  readonly existing: readonly PromptRow[]
  readonly isRepeatable: boolean
  /** The error of each prompt that failed. */
  readonly failures: readonly unknown[]
}

async function keepProject(tx: Db, projectId: string): Promise<void> {
  const found = await tx.$queryRawUnsafe<unknown[]>(keptProject, projectId)
  if (found.length === 0) throw notFound(projectId)
}

export async function keepTopics(tx: Db, projectId: string, ids: readonly string[]): Promise<void> {
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
    key: questionKey(text),
    isBranded,
    topicIds: [...new Set(topicIds.map((id) => id.toLowerCase()))],
  }))
}

/** Adds topics to those that a prompt has. @returns how many it lacked */
export async function addTopics(
  tx: Db,
  promptId: string,
  topicIds: readonly string[],
): Promise<number> {
  if (topicIds.length === 0) return 0
  const links = await tx.promptTopic.findMany({ where: { promptId } })
  const first = Math.max(-1, ...links.map(({ position }) => position)) + 1
  const added = topicIds.filter((id) => links.every(({ topicId }) => topicId !== id))
  if (added.length === 0) return 0
  await tx.promptTopic.createMany({
    data: added.map((topicId, i) => ({ promptId, topicId, position: first + i })),
  })
  return added.length
}

/** Whether an addition makes it count toward the allowance. */
const startsToCount = ({ isTracked, isImported }: PromptRow) => isImported || !isTracked

/**
 * Tracks a prompt that asks the question already. It keeps its answers, and one that came with answers counts toward the
 * allowance from now on. A second prompt would have no answers, and a schedule would ask both.
 */
async function takeOver(tx: Db, known: PromptRow, { isBranded, topicIds }: Planned) {
  await addTopics(tx, known.id, topicIds)
  // A copy: the batch may have the row already, as one that it has made.
  if (!startsToCount(known)) return { ...known }
  const { after } = await writeChange(tx, known, {
    data: { isImported: false, isTracked: true, isBranded },
    change: known.isTracked ? 'edited' : 'unarchived',
  })
  return after
}

/** Adds one prompt with its revision and topics. */
async function create(tx: Db, projectId: string, { text, key, isBranded, topicIds }: Planned) {
  const at = new Date()
  const own = await freeKey(tx, projectId, key)
  const times = { createdAt: at, updatedAt: at, textChangedAt: at }
  const prompt = await tx.prompt.create({
    data: { projectId, text, isBranded, questionKey: own, ...times },
  })
  const promptId = prompt.id
  const first = { promptId, projectId, text, questionKey: key, createdAt: at }
  await tx.promptRevision.create({ data: { ...first, revision: 1, change: 'created' } })
  await addTopics(tx, promptId, topicIds)
  return prompt
}

function editOf({ id, text, isBranded }: PromptRow, { topicIds }: Planned): Edit {
  return { action: 'prompt.add', subject: ['prompt', id], after: { text, isBranded, topicIds } }
}

/** The prompts of a project by the questions that they ask, locked until the transaction ends. */
async function lockByQuestion(
  tx: Db,
  projectId: string,
  planned: readonly Planned[],
  isRepeatable: boolean,
): Promise<Map<string, PromptRow>> {
  const keys = planned.map(({ key }) => key)
  const found = await findByQuestion(tx, projectId, keys, isRepeatable)
  const ids = [...new Set(found.map(({ id }) => id))]
  const rows = await tx.$queryRawUnsafe<PromptRow[]>(lockedPrompts, projectId, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    found.flatMap(({ key, id }) => {
      const row = byId.get(id)
      return row ? [[key, row]] : []
    }),
  )
}

interface Additions {
  readonly prompts: PromptRow[]
  readonly existing: PromptRow[]
  readonly edits: Edit[]
  readonly failures: unknown[]
}

/** Adds each prompt on its own: a failure affects no other prompt. */
async function addEach(
  tx: Db,
  projectId: string,
  planned: readonly Planned[],
  known: Map<string, PromptRow>,
  isRepeatable: boolean,
): Promise<Additions> {
  const done: Additions = { prompts: [], existing: [], edits: [], failures: [] }
  for (const wanted of planned) {
    const before = known.get(wanted.key)
    try {
      const row = await inTransaction(tx, (each) =>
        before ? takeOver(each, before, wanted) : create(each, projectId, wanted),
      )
      done.prompts.push(row)
      if (before) done.existing.push(row)
      if (!before || startsToCount(before)) done.edits.push(editOf(row, wanted))
      // Of a repeatable text the next one is new again.
      if (isRepeatable) known.delete(wanted.key)
      else known.set(wanted.key, row)
    } catch (error) {
      done.failures.push(error)
    }
  }
  return done
}

interface AdditionOptions {
  /** Adds a prompt for a question that another one asks, as REST does by its contract. */
  readonly isRepeatable?: boolean
}

/**
 * Adds prompts and tracks them. A fault of the whole batch adds none; after these checks each prompt is added on its own.
 * A question that a prompt of the project asks already, or asked before, makes no second one.
 * @throws {Fault} `INACTIVE_PITCH_PROMPT_MUTATION`; `not_found` for a topic; `quota_exceeded`
 * @throws the first failure when no prompt was added
 */
export function addPrompts(
  { db, project }: Pick<ProjectScope, 'db' | 'project'>,
  actor: Actor,
  wanted: readonly NewPrompt[],
  { isRepeatable = false }: AdditionOptions = {},
): Promise<Addition> {
  return inTransaction(db, async (tx) => {
    await keepProject(tx, project.id)
    refuseInactivePitch(project)
    const planned = await plan(tx, project.id, wanted)
    const topicIds = planned.flatMap((each) => each.topicIds)
    await keepTopics(tx, project.id, topicIds)
    await tx.$executeRawUnsafe(oneWriter, project.id)
    const known = await lockByQuestion(tx, project.id, planned, isRepeatable)
    const counted = isRepeatable ? planned : distinct(planned)
    const requested = counted.filter(({ key }) => {
      const row = known.get(key)
      return !row || startsToCount(row)
    })
    await reservePrompts(tx, project, requested.length)
    const done = await addEach(tx, project.id, planned, known, isRepeatable)
    if (done.prompts.length === 0) throw done.failures[0]
    const { workspaceId, id: projectId } = project
    await recordEdits(tx, actor, { workspaceId, projectId }, done.edits)
    return { ...done, isRepeatable }
  })
}

/** One prompt of each question. */
function distinct(planned: readonly Planned[]): readonly Planned[] {
  return [...new Map(planned.map((each) => [each.key, each])).values()]
}
