import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { daysBefore } from '../../core/marks/comparison.ts'
import { kindOfAction, type MarkKind, markKinds } from '../../core/marks/marks.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { citedUrl } from '../../core/sites/cited-url.ts'
import { domainOf, hostOf } from '../../core/sites/urls.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { run } from '../../warehouse/run.ts'
import type { Actor, Edit, Facts } from '../shared/audit-trail.ts'
import { changeProject } from '../shared/change.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { noFilters } from '../shared/filters.ts'
import { check, label } from '../shared/inputs.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { promptsCiting } from './comparison.sql.ts'

export type Mark = Awaited<ReturnType<Db['mark']['findMany']>>[number]

const order = [
  ['day', 'desc'],
  ['id', 'desc'],
] as const

/** A page of the marks of a project, the newest first. */
export async function listMarks(db: Db, projectId: string, page: PageArgs) {
  const { limit, offset, afterKey } = page
  const where = { projectId }
  const rows = await db.mark.findMany({
    where: { ...where, ...followsRow(order, afterKey) },
    orderBy: order.map(([column, direction]) => ({ [column]: direction })),
    take: limit,
    skip: offset,
  })
  return { rows, total: () => db.mark.count({ where }) }
}

/** @throws {Fault} `not_found` */
export async function requireMark(db: Db, projectId: string, id: string): Promise<Mark> {
  const found = isUuid(id) ? await db.mark.findFirst({ where: { id, projectId } }) : null
  if (!found) throw notFound(id)
  return found
}

/** Marks by id, in the order of `ids`; null where unknown. */
export async function marksById(db: Db, ids: readonly string[]): Promise<(Mark | null)[]> {
  const rows = await db.mark.findMany({ where: { id: { in: ids.filter(isUuid) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) ?? null)
}

const mostPrompts = 500
const mostTopics = 100

const ids = (most: number) =>
  z
    .array(z.uuid('must be ids').toLowerCase())
    .max(most, `must have at most ${most} entries`)
    .transform((all) => [...new Set(all)])
    .default([])

const kinds = Object.keys(markKinds) as MarkKind[]

const input = z.object({
  kind: z.enum(kinds, `must be one of ${kinds.join(', ')}`),
  title: label,
  date: z.iso.date('must be a day, such as 2026-05-01'),
  promptIds: ids(mostPrompts),
  topicIds: ids(mostTopics),
  url: z
    .string()
    .trim()
    .nullish()
    .transform((text, context) => {
      if (!text) return null
      const url = citedUrl(text)
      if (url !== null) return url
      context.addIssue('must be the address of a page or a site')
      return z.NEVER
    }),
})

type MarkInput = z.input<typeof input>

export interface MarkChange {
  readonly mark: Mark
  readonly changed: boolean
}

const dayMs = 86_400_000
const dateText = (day: Date) => day.toISOString().slice(0, 10)

const factsOfMark = ({ kind, title, day, url, promptIds, topicIds }: Omit<Mark, 'id'>): Facts => ({
  kind,
  title,
  date: dateText(day),
  url,
  prompts: promptIds.length,
  topics: topicIds.length,
})

/** The prompts whose answers cited a page before a day; those that cited the site, for the address of a whole site. */
async function citingBefore(scope: ProjectScope, url: string, day: Date): Promise<string[]> {
  const snapshot = currentSnapshot(scope)
  const range = {
    from: dateText(new Date(day.getTime() - daysBefore * dayMs)),
    to: dateText(new Date(day.getTime() - dayMs)),
  }
  const isSite = new URL(url).pathname === '/'
  const rows = await run<{ promptId: string }>(scope.warehouse, {
    id: 'marks.citing',
    settled: true,
    sql: promptsCiting(factsWhere(noFilters, snapshot)),
    params: {
      ...factParams(scope.project.id, range, noFilters, snapshot),
      url: isSite ? '' : url,
      domain: domainOf(hostOf(url)),
      most: mostPrompts,
    },
  })
  return rows.map(({ promptId }) => promptId)
}

async function requireOwn(
  name: 'promptIds' | 'topicIds',
  wanted: readonly string[],
  count: (where: { id: { in: string[] } }) => Promise<number>,
): Promise<void> {
  if (wanted.length > 0 && (await count({ id: { in: [...wanted] } })) < wanted.length) {
    throw invalid(name, 'must be ids of this project')
  }
}

/**
 * Marks what was done on a day. Of an address alone it concerns the prompts whose answers cited it in the 56 days before.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export async function addMark(
  scope: ProjectScope,
  actor: Actor,
  given: MarkInput,
): Promise<MarkChange> {
  const { date, ...wanted } = check(input, given)
  const day = new Date(`${date}T00:00:00Z`)
  if (day > scope.now) throw invalid('date', 'must be today or earlier', date)
  const isOfUrl = wanted.url !== null && wanted.promptIds.length + wanted.topicIds.length === 0
  const promptIds = isOfUrl ? await citingBefore(scope, wanted.url ?? '', day) : wanted.promptIds
  const { mark } = await changeProject(scope.db, actor, scope.project.id, async (tx, { id }) => {
    const own = { projectId: id }
    await requireOwn('promptIds', wanted.promptIds, (where) =>
      tx.prompt.count({ where: { ...own, ...where } }),
    )
    await requireOwn('topicIds', wanted.topicIds, (where) =>
      tx.topic.count({ where: { ...own, ...where } }),
    )
    const made = await tx.mark.create({
      data: { id: randomUUID(), ...own, ...wanted, day, promptIds },
    })
    const edit: Edit = { action: 'mark.add', subject: ['mark', made.id], after: factsOfMark(made) }
    return { subjectId: made.id, edits: [edit], mark: made }
  })
  return { mark, changed: true }
}

/**
 * Removes a mark. The answers stay.
 * @throws {Fault} `not_found`
 */
export async function removeMark(
  db: Db,
  actor: Actor,
  projectId: string,
  markId: string,
): Promise<MarkChange> {
  const { mark } = await changeProject(db, actor, projectId, async (tx, project) => {
    const found = await requireMark(tx, project.id, markId.toLowerCase())
    await tx.mark.delete({ where: { id: found.id } })
    const edit: Edit = {
      action: 'mark.remove',
      subject: ['mark', found.id],
      before: factsOfMark(found),
    }
    return { subjectId: found.id, edits: [edit], mark: found }
  })
  return { mark, changed: true }
}

/** An opportunity that was done, with what it concerns. */
interface Done extends Pick<Mark, 'projectId' | 'title' | 'promptIds' | 'topicIds' | 'url'> {
  readonly opportunityId: string
  readonly actionType: string
}

/** Marks that an opportunity was done, on that day. */
export async function markDone(tx: Db, done: Done, at: Date): Promise<void> {
  const { opportunityId, actionType, title, promptIds, topicIds, ...rest } = done
  const data = {
    ...rest,
    kind: kindOfAction(actionType),
    title: [...title].slice(0, 200).join(''),
    day: new Date(`${dateText(at)}T00:00:00Z`),
    promptIds: promptIds.slice(0, mostPrompts),
    topicIds: topicIds.slice(0, mostTopics),
  }
  await tx.mark.upsert({
    where: { opportunityId },
    create: { id: randomUUID(), ...data, opportunityId },
    update: data,
  })
}

/** Takes back the mark of an opportunity that is not done after all. */
export async function unmarkDone(tx: Db, opportunityId: string): Promise<void> {
  await tx.mark.deleteMany({ where: { opportunityId } })
}
