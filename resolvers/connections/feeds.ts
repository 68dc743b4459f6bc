import { invalid, notFound } from '../../core/errors.ts'
import { keptDays } from '../../core/pulling.ts'
import { utcDayOf } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import type { Prisma } from '../../prisma/generated/client.ts'
import type { Actor, Edit, Facts } from '../shared/audit-trail.ts'
import { groupByProject } from '../shared/by-project.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { sendJob } from '../shared/jobs.ts'
import { type AnalyticsKind, readName } from './analytics.ts'

const dayMs = 86_400_000

const dayBefore = (now: Date, days: number) =>
  new Date(`${utcDayOf(new Date(now.getTime() - days * dayMs))}T00:00Z`)

const shown = {
  id: true,
  projectId: true,
  kind: true,
  name: true,
  label: true,
  firstDay: true,
  loadedFrom: true,
  loadedTo: true,
  rows: true,
  nextPullAt: true,
  pulledAt: true,
  problem: true,
  problemText: true,
  failingSince: true,
  createdAt: true,
  account: { select: { id: true, email: true } },
} as const

export type FeedRow = Awaited<ReturnType<typeof loadFeeds>>[number][number]

/** Feeds of each project, the oldest first. */
export async function loadFeeds(db: Db, projectIds: readonly string[]) {
  const rows = await db.dataFeed.findMany({
    where: { projectId: { in: [...projectIds] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: shown,
  })
  return groupByProject(projectIds, rows)
}

/** What a feed does now. */
export type FeedState = 'backfilling' | 'current' | 'failing'

export function stateOf(feed: FeedRow): FeedState {
  if (feed.problem !== null) return 'failing'
  return isWhole(feed) ? 'current' : 'backfilling'
}

/** Bing gives at once all days that it has, however few. */
const isWhole = ({ kind, loadedFrom, firstDay }: FeedRow) =>
  loadedFrom !== null && (kind === 'bingWebmaster' || loadedFrom <= firstDay)

/** How many days are loaded, of those that the backfill is to load. */
export function progressOf({ kind, loadedFrom, loadedTo, firstDay, createdAt }: FeedRow) {
  const end = loadedTo ?? createdAt
  const daysBetween = (from: Date, to: Date) =>
    Math.max(0, Math.floor((to.getTime() - from.getTime()) / dayMs) + 1)
  return {
    loaded: loadedFrom && loadedTo ? daysBetween(loadedFrom, loadedTo) : 0,
    total: daysBetween(kind === 'bingWebmaster' && loadedFrom ? loadedFrom : firstDay, end),
  }
}

/** Sends a job for each feed, which is pulled now. What had ended begins again. */
export async function wakeFeeds(tx: Db, where: Prisma.DataFeedWhereInput): Promise<void> {
  const feeds = await tx.dataFeed.findMany({ where, select: { id: true } })
  await tx.dataFeed.updateMany({ where, data: { nextPullAt: new Date(), failures: 0 } })
  for (const { id } of feeds) await sendJob(tx, 'pull', { feedId: id })
}

/** Sends a job for each feed that is due. @returns their number */
export async function sendDueFeeds(db: Db, now: Date): Promise<number> {
  const due = await db.dataFeed.findMany({
    where: {
      nextPullAt: { lte: now },
      project: { isActive: true, status: 'active' },
    },
    select: { id: true },
  })
  for (const { id } of due) await sendJob(db, 'pull', { feedId: id })
  return due.length
}

export interface FeedInput {
  readonly kind: AnalyticsKind
  /** The Google account that reads the data; null for Bing, which a key of the workspace reads. */
  readonly accountId: string | null
  /** The site, or the number of the property. */
  readonly name: string
  /** The name of the property for people. */
  readonly label: string | null
}

/**
 * Lets the worker pull a site or a property, first for the last days and then back to where the source keeps rows. A feed of
 * the project of the same kind is replaced where its data is of the same site or property.
 * @param retentionDays how long the service keeps rows; null for ever
 * @throws {Fault} `not_found`; `invalid_argument` for an unknown account, without a key to Bing, and where the data is of
 *   another property
 */
export function addFeed(
  db: Db,
  actor: Actor,
  projectId: string,
  { kind, accountId, ...input }: FeedInput,
  retentionDays: number | null,
): Promise<ProjectChangeResult> {
  const name = readName(kind, input.name) ?? ''
  return changeProject(db, actor, projectId, async (tx, { id, workspaceId }) => {
    const reader = await readerOf(tx, workspaceId, kind, accountId)
    const link = await tx.connection.findFirst({ where: { projectId: id, kind } })
    if (link?.host && link.host !== name) {
      throw invalid(
        'name',
        `differs from ${link.host}, whose data the project has: remove that connection with its data first`,
        name,
      )
    }
    const known = await tx.dataFeed.findFirst({ where: { projectId: id, kind } })
    const days = Math.min(keptDays, retentionDays ?? keptDays)
    const begun = { accountId, label: input.label, userId: actor.userId, ...awake() }
    const feed =
      known?.name === name
        ? await tx.dataFeed.update({ where: { id: known.id }, data: begun })
        : await replaceFeed(tx, known?.id, {
            ...begun,
            projectId: id,
            kind,
            name,
            firstDay: dayBefore(new Date(), days - 1),
          })
    await sendJob(tx, 'pull', { feedId: feed.id })
    const edit: Edit = {
      action: known ? 'feed.replace' : 'feed.add',
      subject: ['feed', feed.id],
      ...(known && { before: { kind, name: known.name } }),
      after: { kind, name, ...reader },
    }
    return { subjectId: feed.id, edits: [edit] }
  })
}

/** Who reads the data: a Google account, or the key to Bing. @throws {Fault} `invalid_argument` */
async function readerOf(
  tx: Db,
  workspaceId: string,
  kind: AnalyticsKind,
  accountId: string | null,
): Promise<Facts> {
  if (kind === 'bingWebmaster') {
    if (accountId !== null) throw invalid('accountId', 'is of Google, and must be absent for Bing')
    const key = await tx.bingKey.findUnique({ where: { workspaceId } })
    if (key) return { key: key.lastFour }
    throw invalid('kind', 'needs a key to Bing Webmaster Tools: run `setBingKey` first')
  }
  const account =
    accountId === null
      ? null
      : await tx.googleAccount.findFirst({ where: { id: accountId, workspaceId } })
  if (account) return { account: account.email }
  throw invalid('accountId', 'must be the id of a Google account of the workspace')
}

const awake = () => ({
  nextPullAt: new Date(),
  problem: null,
  problemText: null,
  failingSince: null,
  failures: 0,
})

async function replaceFeed(
  tx: Db,
  knownId: string | undefined,
  data: Parameters<Db['dataFeed']['create']>[0]['data'],
) {
  if (knownId !== undefined) await tx.dataFeed.delete({ where: { id: knownId } })
  return tx.dataFeed.create({ data })
}

async function requireFeed(tx: Db, projectId: string, kind: AnalyticsKind) {
  const known = await tx.dataFeed.findFirst({ where: { projectId, kind } })
  if (!known) throw notFound()
  return known
}

/**
 * Pulls a feed now.
 * @throws {Fault} `not_found` for the project and for a kind without a feed
 */
export function pullNow(
  db: Db,
  actor: Actor,
  projectId: string,
  kind: AnalyticsKind,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const feed = await requireFeed(tx, id, kind)
    await wakeFeeds(tx, { id: feed.id })
    return { subjectId: feed.id, edits: [{ action: 'feed.pull', subject: ['feed', feed.id] }] }
  })
}

/**
 * Ends a feed. Rows that it loaded stay, and so does the link to their site or property.
 * @throws {Fault} `not_found` for the project and for a kind without a feed
 */
export function removeFeed(
  db: Db,
  actor: Actor,
  projectId: string,
  kind: AnalyticsKind,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const feed = await requireFeed(tx, id, kind)
    await tx.dataFeed.delete({ where: { id: feed.id } })
    const before = { kind, name: feed.name }
    return {
      subjectId: feed.id,
      edits: [{ action: 'feed.remove', subject: ['feed', feed.id], before }],
    }
  })
}

/** What the worker needs of a feed to pull it; null for one that is gone, or whose project is paused. */
export async function readFeed(db: Db, id: string) {
  const feed = await db.dataFeed.findUnique({
    where: { id },
    include: { project: { select: { isActive: true, status: true, workspaceId: true } } },
  })
  return feed?.project.isActive && feed.project.status === 'active' ? feed : null
}

export type Feed = NonNullable<Awaited<ReturnType<typeof readFeed>>>

/** Notes what was loaded. Days only grow. */
export async function notePulled(
  db: Db,
  id: string,
  { from, to, rows }: { readonly from: string; readonly to: string; readonly rows: number },
): Promise<void> {
  await db.$executeRaw`
    UPDATE "DataFeed"
       SET "loadedFrom" = LEAST("loadedFrom", ${from}::date), "loadedTo" = GREATEST("loadedTo", ${to}::date),
           rows = rows + ${rows}, "pulledAt" = now(), problem = NULL, "problemText" = NULL,
           "failingSince" = NULL, failures = 0
     WHERE id = ${id}::uuid`
}

/** Sets when a feed is next pulled. */
export async function planPull(db: Db, id: string, nextPullAt: Date): Promise<void> {
  await db.dataFeed.updateMany({ where: { id }, data: { nextPullAt } })
}

export type FeedProblem = NonNullable<Feed['problem']>

/**
 * Notes why a pull failed. `failingSince` is the time of the first failure in a row.
 * @param nextPullAt null where no try helps before somebody acts
 */
export async function notePullFailed(
  db: Db,
  id: string,
  {
    problem,
    text,
    nextPullAt,
  }: { readonly problem: FeedProblem; readonly text: string; readonly nextPullAt: Date | null },
): Promise<void> {
  await db.dataFeed.updateMany({
    where: { id, failingSince: null },
    data: { failingSince: new Date() },
  })
  await db.dataFeed.updateMany({
    where: { id },
    data: {
      problem,
      problemText: text.slice(0, 500),
      nextPullAt,
      failures: { increment: 1 },
    },
  })
}
