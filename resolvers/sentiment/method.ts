import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { tokenCost } from '../../core/collecting/providers/cost.ts'
import {
  type AskedProvider,
  modelsOf,
  providerTerms,
} from '../../core/collecting/providers/request.ts'
import { Fault, invalid } from '../../core/errors.ts'
import { judgeVersionOf } from '../../core/text/judge/prompt.ts'
import { isUuid } from '../../core/uuid.ts'
import { utcDayOf } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import type { SentimentCost } from '../../prisma/generated/client.ts'
import { type Actor, difference, type Edit } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { check, label } from '../shared/inputs.ts'
import { sendJob } from '../shared/jobs.ts'

/** Who rates the sentiment of a project's answers: rules, or a model by a provider key of the workspace. */
export interface ProjectSentiment {
  readonly projectId: string
  /** Null for rules. */
  readonly version: string | null
  /** Null for rules, and once the key is removed. */
  readonly keyId: string | null
  readonly provider: AskedProvider | null
  readonly model: string | null
  /** US dollars in a UTC month; null without a cap. */
  readonly monthCap: number | null
  /** Loads after this one are rated as they come. */
  readonly sinceLoad: number
  /** Loads after it with the rows of older ones, which a new analysis of answers has renumbered. */
  readonly olderLoads: readonly number[]
  readonly ratesOlder: boolean
  /** Why answers wait for the model, as a sentence. */
  readonly problem: string | null
}

const byRules = {
  version: null,
  keyId: null,
  provider: null,
  model: null,
  monthCap: null,
  sinceLoad: 0,
  olderLoads: [],
  ratesOlder: false,
  problem: null,
} as const satisfies Omit<ProjectSentiment, 'projectId'>

/** The methods of projects, in the order of their ids. */
export async function loadSentimentMethods(
  db: Db,
  ids: readonly string[],
): Promise<ProjectSentiment[]> {
  const rows = await db.sentimentRater.findMany({ where: { projectId: { in: [...ids] } } })
  return ids.map(
    (id) => rows.find(({ projectId }) => projectId === id) ?? { projectId: id, ...byRules },
  )
}

/** A change of the method of a project. */
export interface SentimentChange {
  readonly at: Date
  /** The version from then on; null for rules. */
  readonly version: string | null
}

const mostChanges = 50

/** The newest changes of projects, the oldest first, in the order of their ids. */
export async function loadSentimentChanges(
  db: Db,
  ids: readonly string[],
): Promise<SentimentChange[][]> {
  const rows = await db.sentimentChange.findMany({
    where: { projectId: { in: [...ids] } },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  })
  return ids.map((id) => rows.filter(({ projectId }) => projectId === id).slice(-mostChanges))
}

/** What the model of a project has taken. */
export interface SentimentSpending {
  /** US dollars of this UTC month, of all models. */
  readonly thisMonth: number
  /** Of a version, in all months. */
  readonly taken: ReadonlyMap<string, TakenByVersion>
}

export interface TakenByVersion {
  readonly passages: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const monthOf = (now: Date) => new Date(`${utcDayOf(now).slice(0, 7)}-01`)

/** What the models of projects have taken, in the order of their ids. */
export async function loadSentimentSpending(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<SentimentSpending[]> {
  const all = await db.sentimentCost.findMany({ where: { projectId: { in: [...ids] } } })
  const month = monthOf(now).getTime()
  return ids.map((id) => {
    const rows = all.filter(({ projectId }) => projectId === id)
    const thisMonth = rows
      .filter((row) => row.month.getTime() === month)
      .reduce((sum, { cost }) => sum + (cost ?? 0), 0)
    return { thisMonth, taken: takenByVersion(rows) }
  })
}

function takenByVersion(rows: readonly SentimentCost[]): SentimentSpending['taken'] {
  const taken = new Map<string, TakenByVersion>()
  for (const { version, passages, inputTokens, outputTokens } of rows) {
    const before = taken.get(version) ?? { passages: 0, inputTokens: 0, outputTokens: 0 }
    taken.set(version, {
      passages: before.passages + passages,
      inputTokens: before.inputTokens + Number(inputTokens),
      outputTokens: before.outputTokens + Number(outputTokens),
    })
  }
  return taken
}

/** What one call took. */
interface CallCost {
  readonly projectId: string
  readonly version: string
  readonly passages: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number | null
}

export async function payForSentiment(db: Db, call: CallCost, now: Date): Promise<void> {
  const { projectId, version, passages, inputTokens, outputTokens, cost } = call
  const month = monthOf(now)
  await db.$executeRaw`
    INSERT INTO "SentimentCost" AS c ("projectId", version, month, calls, passages, "inputTokens", "outputTokens", cost)
    VALUES (${projectId}::uuid, ${version}, ${month}::date, 1, ${passages}, ${inputTokens}, ${outputTokens}, ${cost})
    ON CONFLICT ("projectId", version, month) DO UPDATE
       SET calls = c.calls + 1, passages = c.passages + EXCLUDED.passages,
           "inputTokens" = c."inputTokens" + EXCLUDED."inputTokens",
           "outputTokens" = c."outputTokens" + EXCLUDED."outputTokens",
           cost = CASE WHEN EXCLUDED.cost IS NULL THEN c.cost ELSE coalesce(c.cost, 0) + EXCLUDED.cost END`
}

/** Notes new verdicts, so that reports are read again, and why others wait; null where none does. */
export async function noteSentiment(
  db: Db,
  projectId: string,
  problem: string | null,
): Promise<void> {
  await db.sentimentRater.updateMany({
    where: { projectId },
    data: { batches: { increment: 1 }, problem },
  })
}

const methodSchema = z.object({
  by: z.enum(['rules', 'model']),
  providerKeyId: z.string().nullish(),
  model: label.nullish(),
  monthCap: z.number().min(0).max(1_000_000).nullish(),
})

export type SentimentMethodInput = z.input<typeof methodSchema>

/** A key whose model can rate, with the model. */
export interface RatingKey {
  readonly keyId: string
  readonly provider: AskedProvider
  readonly model: string
}

const keyFields = { id: true, provider: true, model: true } as const

interface StoredKey {
  readonly id: string
  readonly provider: AskedProvider
  readonly model: string | null
}

/** The key with its model, or with another one; null for a vendor of surfaces, which have no model that reads a text. */
function ratingKey({ id, provider, model }: StoredKey, other?: string | null): RatingKey | null {
  const asked = other ?? model ?? providerTerms[provider].model
  if (modelsOf(provider) || asked === null) return null
  return { keyId: id, provider, model: asked }
}

/** The keys of a workspace whose models can rate, the newest first; refused keys are left out. */
async function ratingKeys(db: Db, workspaceId: string): Promise<RatingKey[]> {
  const rows = await db.providerKey.findMany({
    where: { workspaceId, refusedAt: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    select: keyFields,
  })
  return rows.flatMap((row) => ratingKey(row) ?? [])
}

/** @throws {Fault} `invalid_argument` for a key of another workspace, or of a vendor of surfaces */
export async function requireRatingKey(
  db: Db,
  workspaceId: string,
  { providerKeyId, model }: { providerKeyId: string; model?: string | null | undefined },
): Promise<RatingKey> {
  const where = { id: providerKeyId, workspaceId }
  const row = isUuid(providerKeyId)
    ? await db.providerKey.findFirst({ where, select: keyFields })
    : null
  if (!row) throw invalid('providerKeyId', 'must be the id of a provider key of the workspace')
  const key = ratingKey(row, model)
  if (key) return key
  throw invalid('providerKeyId', 'must be the key of a provider with a model that reads a text')
}

/** Whether a model has a price, which a cap needs. */
const isPriced = async ({ provider, model }: Omit<RatingKey, 'keyId'>): Promise<boolean> =>
  provider === 'openrouter' ||
  (await tokenCost(provider, model, { inputTokens: 1, outputTokens: 1 })) !== null

type Chosen = Pick<ProjectSentiment, 'version' | 'keyId' | 'provider' | 'model' | 'monthCap'>

/** @throws {Fault} `invalid_argument` */
async function chosen(tx: Db, workspaceId: string, input: SentimentMethodInput): Promise<Chosen> {
  const { by, providerKeyId, model, monthCap = null } = check(methodSchema, input)
  if (by === 'rules') {
    for (const [name, value] of Object.entries({ providerKeyId, model, monthCap })) {
      if (value != null) throw invalid(name, 'is for `by: model`: leave it out')
    }
    return { version: null, keyId: null, provider: null, model: null, monthCap: null }
  }
  if (providerKeyId == null) throw invalid('providerKeyId', 'is needed for `by: model`')
  const key = await requireRatingKey(tx, workspaceId, { providerKeyId, model })
  if (monthCap !== null && !(await isPriced(key))) {
    throw invalid('monthCap', `cannot be kept: \`${key.model}\` has no known price. Leave it out`)
  }
  return { version: judgeVersionOf(key.model), ...key, monthCap }
}

/** Writes a method. A new version rates answers from now on; a cap or key alone changes nothing of what is rated. */
async function write(tx: Db, projectId: string, after: Chosen, isNew: boolean): Promise<void> {
  const { lastLoad } = await tx.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { lastLoad: true },
  })
  const changedAt = new Date()
  const since = isNew ? { sinceLoad: lastLoad, olderLoads: [], ratesOlder: false, changedAt } : {}
  await tx.sentimentRater.upsert({
    where: { projectId },
    create: { projectId, ...after, sinceLoad: lastLoad, changedAt },
    update: { ...after, ...since, problem: null },
  })
  if (isNew) {
    const { version } = after
    await tx.sentimentChange.create({
      data: { id: randomUUID(), projectId, version, at: changedAt },
    })
  }
  if (after.version !== null) await sendJob(tx, 'judge', { projectId })
}

/**
 * Chooses who rates the sentiment of a project's answers. Reports show one method: answers that a newly chosen model has not
 * rated are unrated.
 * @throws {Fault} `not_found`; `invalid_argument`
 */
export function setSentimentMethod(
  db: Db,
  actor: Actor,
  projectId: string,
  input: SentimentMethodInput,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id, workspaceId }) => {
    const after = await chosen(tx, workspaceId, input)
    const [row] = await loadSentimentMethods(tx, [id])
    const { version, keyId, provider, model, monthCap } = row ?? byRules
    const before: Chosen = { version, keyId, provider, model, monthCap }
    const changes = difference({ ...before }, { ...after })
    if (!changes) return { subjectId: id, edits: [] }
    await write(tx, id, after, version !== after.version)
    const edit: Edit = {
      action: 'project.setSentimentMethod',
      subject: ['project', id],
      ...changes,
    }
    return { subjectId: id, edits: [edit] }
  })
}

/**
 * Has the model rate the answers from before it was chosen, too.
 * @throws {Fault} `not_found`; `invalid_argument` where rules rate the answers
 */
export function rateOlderAnswers(
  db: Db,
  actor: Actor,
  projectId: string,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const [row] = await loadSentimentMethods(tx, [id])
    if (!row?.version) {
      throw new Fault(
        'invalid_argument',
        'Rules rate the answers of the project: choose a model first.',
      )
    }
    await sendJob(tx, 'judge', { projectId: id })
    if (row.ratesOlder) return { subjectId: id, edits: [] }
    await tx.sentimentRater.update({
      where: { projectId: id },
      data: { ratesOlder: true, problem: null },
    })
    const edit: Edit = {
      action: 'project.rateOlderAnswers',
      subject: ['project', id],
      after: { version: row.version },
    }
    return { subjectId: id, edits: [edit] }
  })
}

/** US dollars in a month that a project may spend on sentiment where nobody said otherwise. */
const usualMonthCap = 5

/** The key that rates the answers of a new project; null without one whose price is known. */
export async function usualRatingKey(db: Db, workspaceId: string): Promise<RatingKey | null> {
  for (const key of await ratingKeys(db, workspaceId)) if (await isPriced(key)) return key
  return null
}

/**
 * Gives a new project the model of the newest key of its workspace whose price is known, unless somebody wants rules.
 * @returns the version of the model; null for rules
 * @throws {Fault} `invalid_argument` for a model without such a key
 */
export async function firstSentimentMethod(
  tx: Db,
  project: { readonly id: string; readonly workspaceId: string },
  by?: 'rules' | 'model',
): Promise<string | null> {
  const key = by === 'rules' ? null : await usualRatingKey(tx, project.workspaceId)
  if (key === null) {
    if (by !== 'model') return null
    throw invalid('sentimentBy', 'must be `rules`: no provider key has a model with a known price')
  }
  const version = judgeVersionOf(key.model)
  await tx.sentimentRater.create({
    data: { projectId: project.id, version, ...key, monthCap: usualMonthCap },
  })
  return version
}

/** Moves a project to the version of today's instructions. Answers of before stay unrated until somebody asks for them. */
export async function renewSentimentVersion(db: Db, row: ProjectSentiment): Promise<string> {
  const version = judgeVersionOf(row.model ?? '')
  const { projectId, keyId, provider, model, monthCap } = row
  if (version !== row.version) {
    await write(db, projectId, { version, keyId, provider, model, monthCap }, true)
  }
  return version
}
