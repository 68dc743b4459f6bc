import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ChannelEvent, EventData } from '../../core/channels/events.ts'
import { isTimeZone, nextDue } from '../../core/collecting/due.ts'
import { Fault, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { deliverTo, pagePath } from '../shared/deliver.ts'
import { check } from '../shared/inputs.ts'
import { sendJob } from '../shared/jobs.ts'
import { inTransaction, isUniqueClash } from '../shared/transaction.ts'
import { requireChannel } from './channels.ts'

export type DigestRow = Awaited<ReturnType<typeof loadDigests>>[number][number]

const shown = {
  id: true,
  channelId: true,
  projectId: true,
  weekday: true,
  hour: true,
  timeZone: true,
  nextAt: true,
  project: { select: { name: true } },
} as const

/** Digests of each channel, the oldest first. */
export async function loadDigests(db: Db, channelIds: readonly string[]) {
  const rows = await db.digest.findMany({
    where: { channelId: { in: [...channelIds] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: shown,
  })
  return channelIds.map((id) => rows.filter(({ channelId }) => channelId === id))
}

const digestSchema = z.object({
  weekday: z.number().int().min(1, 'must be 1 to 7').max(7, 'must be 1 to 7').default(1),
  hour: z.number().int().min(0, 'must be 0 to 23').max(23, 'must be 0 to 23').default(7),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
    .default('UTC'),
})

export interface DigestInput extends z.input<typeof digestSchema> {
  readonly channelId: string
  readonly projectId: string
}

/** The next time of a digest after a moment. */
function nextOf(
  { weekday, hour, timeZone }: Pick<DigestRow, 'weekday' | 'hour' | 'timeZone'>,
  after: Date,
): Date {
  const cron = `0 ${hour} * * ${weekday % 7}`
  const next = nextDue({ id: '', cron, timeZone, spreadMinutes: 0 }, after)
  // Each week has such an hour, and where a clock skips it, the one after.
  return next ?? new Date(after.getTime() + 7 * 24 * 3600 * 1000)
}

export interface DigestResult extends WorkspaceChangeResult {
  readonly row: DigestRow
}

/**
 * Sends the digest of a project to a channel each week. One of the same channel and project is changed.
 * @throws {Fault} `invalid_argument`; `not_found` for the channel or the project
 */
export function setDigest(
  db: Db,
  actor: Actor,
  workspaceId: string,
  { channelId, projectId, ...input }: DigestInput,
): Promise<DigestResult> {
  const terms = check(digestSchema, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const channel = await requireChannel(tx, workspaceId, channelId)
    const where = { id: projectId.toLowerCase(), workspaceId }
    const project = isUuid(projectId) ? await tx.project.findFirst({ where }) : null
    if (!project) throw notFound(projectId)
    const unique = { channelId: channel.id, projectId: project.id }
    const before = await tx.digest.findUnique({
      where: { channelId_projectId: unique },
      select: shown,
    })
    const isSame =
      before &&
      before.weekday === terms.weekday &&
      before.hour === terms.hour &&
      before.timeZone === terms.timeZone
    if (isSame) return { subjectId: before.id, edits: [], row: before }
    const data = { ...terms, nextAt: nextOf(terms, new Date()) }
    const row = before
      ? await tx.digest.update({ where: { id: before.id }, data, select: shown })
      : await tx.digest.create({ data: { id: randomUUID(), ...unique, ...data }, select: shown })
    const edit: Edit = {
      action: 'digest.set',
      subject: ['channel', channel.id],
      after: { name: channel.name, project: project.name, ...terms },
    }
    return { subjectId: row.id, edits: [edit], row }
  })
}

/**
 * Ends a digest.
 * @throws {Fault} `not_found`
 */
export function removeDigest(
  db: Db,
  actor: Actor,
  workspaceId: string,
  digestId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { id: digestId.toLowerCase(), channel: { workspaceId } }
    const found = isUuid(digestId)
      ? await tx.digest.findFirst({ where, include: { channel: true, project: true } })
      : null
    if (!found) throw notFound()
    await tx.digest.delete({ where: { id: found.id } })
    const edit: Edit = {
      action: 'digest.remove',
      subject: ['channel', found.channelId],
      before: { name: found.channel.name, project: found.project.name },
    }
    return { subjectId: found.id, edits: [edit] }
  })
}

/** Sends a job for each digest that is due, and sets its next time. A service that was off sends one, and not one a week. */
export async function wakeDigests(db: Db, now: Date): Promise<number> {
  const due = await db.digest.findMany({ where: { nextAt: { lte: now } }, take: 1000 })
  for (const digest of due) {
    await inTransaction(db, async (tx) => {
      const { count } = await tx.digest.updateMany({
        where: { id: digest.id, nextAt: digest.nextAt },
        data: { nextAt: nextOf(digest, now) },
      })
      if (count === 0) return
      await sendJob(tx, 'digest', { digestId: digest.id, dueAt: digest.nextAt.toISOString() })
    })
  }
  return due.length
}

/** The same for each try of a digest: a repeated job sends nothing twice. */
function deliveryId(digestId: string, dueAt: string): string {
  const hex = createHash('sha256').update(`${digestId} ${dueAt}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

interface Content {
  readonly title: string
  readonly facts: readonly EventData['facts'][number][]
  readonly sections: readonly NonNullable<EventData['sections']>[number][]
}

/** Makes what a digest says; null for a project that is gone. */
export type MakeDigest = (projectId: string, now: Date) => Promise<Content | null>

/**
 * A digest as an event of its project.
 * @throws {Fault} `not_found`
 */
export async function digestEvent(
  db: Db,
  projectId: string,
  { title, facts, sections }: Content,
): Promise<ChannelEvent> {
  const found = await db.project.findUnique({
    where: { id: projectId },
    select: { id: true, name: true, domain: true, workspaceId: true },
  })
  if (!found) throw notFound(projectId)
  const { workspaceId, ...project } = found
  const link = pagePath(projectId, 'overview')
  return {
    type: 'digest.ready',
    timestamp: new Date().toISOString(),
    data: {
      workspaceId,
      project,
      title,
      text: '',
      facts: [...facts],
      sections: [...sections],
      link,
    },
  }
}

/**
 * Sends a digest to a channel of the project's workspace.
 * @returns the id of the delivery
 * @throws {Fault} `not_found`; `invalid_argument` for a channel that is not on
 */
export async function sendContent(
  db: Db,
  { channelId, projectId }: { readonly channelId: string; readonly projectId: string },
  content: Content,
  id: string = randomUUID(),
): Promise<string> {
  const event = await digestEvent(db, projectId, content)
  const { id: to, state } = await requireChannel(db, event.data.workspaceId, channelId)
  if (state !== 'on') {
    throw new Fault('invalid_argument', 'The channel is not on. Enable it first.')
  }
  try {
    await inTransaction(db, (tx) => deliverTo(tx, [to], event, id))
  } catch (error) {
    // The job of before was killed after its write.
    if (!isUniqueClash(error)) throw error
  }
  return id
}

/**
 * Sends a digest that was due, once.
 * @returns whether there was one to send
 */
export async function sendDigest(
  db: Db,
  { digestId, dueAt }: { readonly digestId: string; readonly dueAt: string },
  make: MakeDigest,
): Promise<boolean> {
  const digest = await db.digest.findUnique({
    where: { id: digestId },
    include: { channel: { select: { state: true } } },
  })
  if (digest?.channel.state !== 'on') return false
  const content = await make(digest.projectId, new Date(dueAt))
  if (!content) return false
  await sendContent(db, digest, content, deliveryId(digestId, dueAt))
  return true
}
