import { invalid, notFound } from '../../core/errors.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import type { intentCategories } from '../../core/prompt-input.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { assertTopics, brandedOf, type FilterArgs } from '../shared/filters.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  attachedToPrompts,
  promptCount,
  promptIds,
  promptPage,
  revisionsByPrompt,
} from './prompts.sql.ts'

/** A prompt as stored in the catalog. */
export type PromptRow = Awaited<ReturnType<Db['prompt']['findMany']>>[number]

export interface PromptListArgs
  extends PageArgs,
    Pick<FilterArgs, 'topicId' | 'branded' | 'unbranded'> {
  search?: string | null | undefined
  isTracked?: boolean | null | undefined
  intentCategory?: Choice<(typeof intentCategories)[number]>
  /** Ids of prompts to leave out. */
  except?: readonly string[]
}

/** The values of the statements that list prompts. */
async function filtersOf(
  { db, project }: ProjectScope,
  args: Omit<PromptListArgs, keyof PageArgs>,
) {
  const { search, topicId, isTracked, intentCategory, except } = args
  const isBranded = brandedOf(args)
  // PostgreSQL rejects a NUL in a parameter.
  if (search?.includes('\0')) throw invalid('search', 'must not contain a NUL character')
  const topicIds = topicId && topicId.length > 0 ? topicId : null
  if (topicIds) await assertTopics(db, project.id, topicIds)
  const intents = chosen(intentCategory)
  return [search, topicIds, isTracked, intents, isBranded, except].map((it) => it ?? null)
}

/**
 * The ids of the prompts that pass the filters, sorted by their texts.
 * @throws {Fault} as of `prompts`
 */
export async function promptIdsOf(
  scope: ProjectScope,
  args: Omit<PromptListArgs, keyof PageArgs>,
): Promise<string[]> {
  const filters = await filtersOf(scope, args)
  const rows = await scope.db.$queryRawUnsafe<{ id: string }[]>(
    promptIds,
    scope.project.id,
    ...filters,
  )
  return rows.map(({ id }) => id)
}

/**
 * A page of the prompts of a project, newest first, ties by id.
 * @throws {Fault} `invalid_argument` (branded with unbranded, a NUL), `not_found` (a topic of another project)
 */
export async function prompts(scope: ProjectScope, args: PromptListArgs) {
  const { db, project } = scope
  const { limit, offset, afterKey } = args
  const filters = await filtersOf(scope, args)
  const [rows, [counted]] = await Promise.all([
    db.$queryRawUnsafe<PromptRow[]>(
      promptPage,
      project.id,
      ...filters,
      limit,
      offset,
      keyParam(afterKey),
    ),
    db.$queryRawUnsafe<{ total: number }[]>(promptCount, project.id, ...filters),
  ])
  const total = counted?.total ?? 0
  return { scope, prompts: rows, pagination: pagination({ limit, offset }, rows.length, total) }
}

/** @throws {Fault} `not_found` */
export async function prompt({ db, project }: ProjectScope, promptId: string): Promise<PromptRow> {
  const where = { id: promptId, projectId: project.id }
  const found = isUuid(promptId) ? await db.prompt.findFirst({ where }) : null
  if (found) return found
  const [kept = null] = isUuid(promptId) ? await loadPrompts(db, [promptId]) : []
  if (kept?.projectId !== project.id) throw notFound(promptId)
  return kept
}

/**
 * Prompts by id, in the order of `ids`; null for an unknown id. The id of a prompt that was merged into another one finds
 * that one.
 */
export async function loadPrompts(db: Db, ids: readonly string[]): Promise<(PromptRow | null)[]> {
  const rows = await db.prompt.findMany({ where: { id: { in: [...new Set(ids)] } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const missing = ids.filter((id) => !byId.has(id))
  if (missing.length > 0) {
    const where = { id: { in: missing } }
    const merged = await db.mergedPrompt.findMany({ where, include: { prompt: true } })
    for (const { id, prompt: kept } of merged) byId.set(id, kept)
  }
  return ids.map((id) => byId.get(id) ?? null)
}

type LocationRow = Omit<Awaited<ReturnType<Db['location']['findMany']>>[number], 'createdAt'>

/** Topics, locations and first wording of a prompt. */
export interface Attached {
  /** In the order in which they were added. */
  readonly topics: readonly { readonly id: string; readonly name: string }[]
  /** The prompt's own locations, by country and city. */
  readonly locations: readonly LocationRow[]
  /** The first wording; null when unknown. */
  readonly firstText: string | null
}

/** Topics, locations and first wording of each prompt, in the order of `ids`. */
export async function loadAttached(db: Db, ids: readonly string[]): Promise<Attached[]> {
  const rows = await db.$queryRawUnsafe<(Attached & { promptId: string })[]>(attachedToPrompts, ids)
  const byId = new Map(rows.map((row) => [row.promptId, row]))
  return ids.map((id) => byId.get(id) ?? { topics: [], locations: [], firstText: null })
}

export interface PromptRevision {
  readonly promptId: string
  readonly revision: number
  readonly text: string
  readonly change: 'created' | 'edited' | 'restored' | 'archived' | 'unarchived'
  readonly createdAt: Date
}

/** Revisions of each prompt, newest first, in the order of `ids`. */
export async function loadRevisions(db: Db, ids: readonly string[]): Promise<PromptRevision[][]> {
  const rows = await db.$queryRawUnsafe<PromptRevision[]>(revisionsByPrompt, ids)
  const groups = Map.groupBy(rows, (row) => row.promptId)
  return ids.map((id) => groups.get(id) ?? [])
}

/**
 * The revisions of a prompt, newest first.
 * @throws {Fault} `not_found`
 */
export async function promptRevisions(scope: ProjectScope, promptId: string) {
  const { id } = await prompt(scope, promptId)
  const [revisions = []] = await loadRevisions(scope.db, [id])
  return { promptId: id, revisions }
}
