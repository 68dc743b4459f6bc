import type { ChannelEvent } from '../../core/channels/events.ts'
import { withAddresses } from '../../core/channels/events.ts'
import { failingMs, nextTryMs } from '../../core/channels/tries.ts'
import { rotationMs } from '../../core/channels/webhook.ts'
import { openSecret } from '../../core/collecting/providers/sealed.ts'
import { Fault, notFound } from '../../core/errors.ts'
import { type PageArgs, type Pagination, pagination } from '../../core/pagination.ts'
import { asStored, storedAs } from '../../core/stored-json.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Prisma } from '../../prisma/generated/client.ts'
import { type Actor, commandLine, recordEdits } from '../shared/audit-trail.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { deliverTo } from '../shared/deliver.ts'
import { sendJob } from '../shared/jobs.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import { inTransaction } from '../shared/transaction.ts'
import {
  type ChannelPlace,
  type ChannelRow,
  dropWaiting,
  requireChannel,
  sealedPlaceOf,
  shown,
} from './channels.ts'
import { channelLink, type LinkParts } from './links.ts'

export type DeliveryRow = Awaited<ReturnType<Db['delivery']['findMany']>>[number]

/** What came of one try to send, as `sending/channel.ts` says it. */
interface Outcome {
  readonly isSent: boolean
  readonly status: number | null
  readonly problem: string | null
  readonly reply: string
  readonly retryAfterMs: number | null
  readonly end: string | null
}

interface OpenedChannel {
  readonly kind: ChannelRow['kind']
  readonly name: string
  readonly address: string
  readonly secrets: readonly string[]
  readonly unsubscribeUrl: string
}

/** Sends one event once. */
export type Send = (
  channel: OpenedChannel,
  delivery: { readonly id: string; readonly event: ChannelEvent },
) => Promise<Outcome>

/** The page that an event leads to when it is sent; null where it shows nothing any more. */
export type AddressOf = (event: ChannelEvent) => Promise<string | null>

/** Gives up a report whose link was closed before it was sent. */
const dropClosed = (db: Db, id: string) =>
  db.delivery.updateMany({
    where: { id },
    data: { state: 'dropped', nextAt: null, lastError: 'The link of the report is closed.' },
  })

/** A page of the deliveries of a workspace, the newest first. */
export async function readDeliveries(
  db: Db,
  workspaceId: string,
  chosen: {
    readonly channelId?: string | null | undefined
    readonly states?: readonly DeliveryRow['state'][] | null | undefined
  },
  { limit, offset, afterKey }: PageArgs,
): Promise<{ rows: DeliveryRow[]; pagination: Pagination }> {
  const { channelId, states } = chosen
  if (channelId != null) await requireChannel(db, workspaceId, channelId)
  const where = {
    channel: { workspaceId },
    ...(channelId != null && { channelId: channelId.toLowerCase() }),
    ...(states != null && { state: { in: [...states] } }),
  }
  const order = [
    ['createdAt', 'desc'],
    ['id', 'asc'],
  ] as const
  const [rows, total] = await Promise.all([
    db.delivery.findMany({
      where: { ...where, ...followsRow(order, afterKey) },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      take: limit,
      skip: offset,
    }),
    db.delivery.count({ where }),
  ])
  return { rows, pagination: pagination({ limit, offset }, rows.length, total) }
}

/** A channel ready to send to; null where it is gone, or where no signing secret opens it. */
async function openChannel(
  db: Db,
  parts: LinkParts,
  id: string,
): Promise<{ readonly row: ChannelRow; readonly channel: OpenedChannel } | null> {
  const found = await db.channel.findUnique({ where: { id } })
  if (!found) return null
  const { signingSecrets } = parts
  const open = (sealed: Uint8Array) =>
    openSecret(signingSecrets, sealedPlaceOf(found), sealed)?.text
  const address = open(found.sealed)
  if (address === undefined) return null
  const isRotating = found.rotatedAt && Date.now() - found.rotatedAt.getTime() < rotationMs
  const secrets = found.secretsSealed
    .slice(0, isRotating ? 2 : 1)
    .map(open)
    .filter((secret) => secret !== undefined)
  const { sealed: _, secretsSealed: __, ...row } = found
  const unsubscribeUrl = channelLink('unsubscribe', id, parts)
  return { row, channel: { kind: row.kind, name: row.name, address, secrets, unsubscribeUrl } }
}

/** The reply of the receiver, or what is wrong, for people. PostgreSQL counts characters. */
const errorOf = ({ problem, reply }: Outcome) =>
  [problem, reply]
    .filter((text) => text !== null && text !== '')
    .join('\n')
    .slice(0, 500)

/** Says to the other channels of a workspace, and in the audit trail, that one takes nothing more. */
async function disable(tx: Db, { id, workspaceId, name }: ChannelRow, reason: string) {
  const { count } = await tx.channel.updateMany({
    where: { id, state: 'on' },
    data: { state: 'disabled', disabledReason: reason },
  })
  if (count === 0) return
  await dropWaiting(tx, id)
  await recordEdits(tx, commandLine, { workspaceId }, [
    {
      action: 'channel.disable',
      subject: ['channel', id],
      before: { state: 'on' },
      after: { state: 'disabled', reason },
    },
  ])
  const others = await tx.channel.findMany({
    where: {
      workspaceId,
      state: 'on',
      OR: [{ events: { isEmpty: true } }, { events: { has: 'data.degraded' } }],
    },
    select: { id: true },
  })
  const project = await tx.project.findFirst({ where: { workspaceId }, select: { id: true } })
  await deliverTo(
    tx,
    others.map((other) => other.id),
    {
      type: 'data.degraded',
      timestamp: new Date().toISOString(),
      data: {
        workspaceId,
        channelId: id,
        project: null,
        title: `The channel “${name}” was disabled`,
        text: reason,
        facts: [],
        link: project ? `/projects/${project.id}/settings/notifications` : '/',
      },
    },
  )
}

/** Writes down what came of a try. @returns whether the receiver takes anything now */
async function note(
  db: Db,
  channel: ChannelRow,
  { id, attempts }: DeliveryRow,
  outcome: Outcome,
  random: () => number,
): Promise<boolean> {
  const now = new Date()
  const tries = attempts + 1
  const said = { attempts: tries, lastStatus: outcome.status }
  if (outcome.isSent) {
    await db.delivery.updateMany({
      where: { id },
      data: { ...said, state: 'sent', sentAt: now, nextAt: null, lastError: null },
    })
    if (channel.failingSince) {
      await db.channel.updateMany({ where: { id: channel.id }, data: { failingSince: null } })
    }
    return true
  }
  const pauseMs = nextTryMs(tries, random(), outcome.retryAfterMs)
  await inTransaction(db, async (tx) => {
    const nextAt = pauseMs === null ? null : new Date(now.getTime() + pauseMs)
    const state = nextAt ? ('waiting' as const) : ('failed' as const)
    const data = { ...said, lastError: errorOf(outcome), nextAt, state }
    await tx.delivery.updateMany({ where: { id }, data })
    // Others of the channel would only fail alike: they wait a little too, or for as long as the receiver asks.
    const restMs = Math.max(
      Math.min(pauseMs ?? 0, mostRestMs),
      Math.min(outcome.retryAfterMs ?? 0, pauseMs ?? 0),
    )
    const rested = new Date(now.getTime() + restMs)
    await tx.delivery.updateMany({
      where: { channelId: channel.id, state: 'waiting', nextAt: { lt: rested } },
      data: { nextAt: rested },
    })
    const since = channel.failingSince ?? now
    if (!channel.failingSince) {
      await tx.channel.updateMany({
        where: { id: channel.id, failingSince: null },
        data: { failingSince: now },
      })
    }
    if (outcome.end !== null) return disable(tx, channel, outcome.end)
    if (now.getTime() - since.getTime() > failingMs) {
      const days = `Each try of the last five days failed. The last one: ${outcome.problem}`
      await disable(tx, channel, days)
    }
  })
  return false
}

/** The longest rest of a channel after a failure, unless its receiver asks for more. */
const mostRestMs = 5 * 60_000

/** Deliveries of one look at the catalog. */
const batch = 50
/** A pause up to this long is a job of its own. Longer ones wait for the look of each minute. */
const shortMs = 30_000

/**
 * Sends what is due for a channel, the oldest first. Killed between a send and its note, it sends again under the same id.
 * @param isStopping ends the work between two deliveries
 */
export async function sendDue(
  db: Db,
  parts: LinkParts,
  channelId: string,
  {
    send,
    addressOf,
    isStopping,
    random = Math.random,
  }: {
    readonly send: Send
    readonly addressOf: AddressOf
    readonly isStopping: () => boolean
    readonly random?: () => number
  },
): Promise<void> {
  for (;;) {
    const opened = await openChannel(db, parts, channelId)
    if (!opened) return
    const { row, channel } = opened
    if (row.state !== 'on') return dropWaiting(db, channelId)
    const due = await db.delivery.findMany({
      where: { channelId, state: 'waiting', nextAt: { lte: new Date() } },
      orderBy: [{ nextAt: 'asc' }, { createdAt: 'asc' }],
      take: batch,
    })
    for (const delivery of due) {
      if (isStopping()) {
        await sendJob(db, 'deliver', { channelId })
        return
      }
      const stored = storedAs<ChannelEvent>(delivery.body)
      const link = await addressOf(stored)
      if (link === null) {
        await dropClosed(db, delivery.id)
        continue
      }
      const linked = { ...stored, data: { ...stored.data, link } }
      const event = withAddresses(linked, parts.baseUrl)
      const outcome = await send(channel, { id: delivery.id, event })
      if (!(await note(db, row, delivery, outcome, random))) return wakeSoon(db, channelId)
    }
    if (due.length < batch) return wakeSoon(db, channelId)
  }
}

async function wakeSoon(db: Db, channelId: string): Promise<void> {
  const where = { channelId, state: 'waiting' as const }
  const next = await db.delivery.findFirst({ where, orderBy: { nextAt: 'asc' } })
  if (!next?.nextAt) return
  const waitMs = next.nextAt.getTime() - Date.now()
  if (waitMs > shortMs) return
  await sendJob(
    db,
    'deliver',
    { channelId },
    { afterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  )
}

/** Sends a job for each channel with something due. Called each minute. */
export async function wakeChannels(db: Db): Promise<void> {
  const due = await db.delivery.findMany({
    where: { state: 'waiting', nextAt: { lte: new Date() } },
    distinct: ['channelId'],
    select: { channelId: true },
  })
  for (const { channelId } of due) await sendJob(db, 'deliver', { channelId })
}

export interface TestedChannel extends WorkspaceChangeResult {
  readonly row: ChannelRow
  readonly delivery: DeliveryRow
  /** Why the test was not taken, in a sentence; null where it was. */
  readonly testProblem: string | null
}

/**
 * Sends a test to a channel immediately, with one try.
 * @throws {Fault} `not_found`; `invalid_argument` for an address that its owner has not confirmed
 */
export async function testChannel(
  db: Db,
  parts: LinkParts,
  { workspaceId, channelId }: ChannelPlace,
  send: Send,
): Promise<TestedChannel> {
  const { id, state, name } = await requireChannel(db, workspaceId, channelId)
  if (state === 'unconfirmed') {
    throw new Fault('invalid_argument', 'The owner of the address has not confirmed it yet.')
  }
  const opened = await openChannel(db, parts, id)
  if (!opened) throw notFound()
  const project = await db.project.findFirst({ where: { workspaceId }, select: { id: true } })
  const event: ChannelEvent = {
    type: 'test.ping',
    timestamp: new Date().toISOString(),
    data: {
      workspaceId,
      project: null,
      title: 'A test of Sightline',
      text: `The channel “${name}” works.`,
      facts: [],
      link: project ? `/projects/${project.id}/settings/notifications` : '/',
    },
  }
  const made = await db.delivery.create({
    data: { channelId: id, eventType: event.type, body: asStored(event), nextAt: null },
  })
  const outcome = await send(opened.channel, {
    id: made.id,
    event: withAddresses(event, parts.baseUrl),
  })
  const delivery = await db.delivery.update({
    where: { id: made.id },
    data: {
      attempts: 1,
      state: outcome.isSent ? 'sent' : 'failed',
      sentAt: outcome.isSent ? new Date() : null,
      lastStatus: outcome.status,
      lastError: outcome.isSent ? null : errorOf(outcome),
    },
  })
  const row = await db.channel.findUniqueOrThrow({ where: { id }, select: shown })
  return { subjectId: id, changed: false, row, delivery, testProblem: outcome.problem }
}

/** Most deliveries that are sent again by one call. */
const mostAgain = 1000

export interface DeliveryChoice {
  /** Ids of deliveries; absent for those of a range. */
  readonly ids?: readonly string[] | null | undefined
  /** Those that failed or were dropped since then. */
  readonly since?: Date | null | undefined
}

export interface SentAgain extends WorkspaceChangeResult {
  readonly row: ChannelRow
  readonly count: number
}

/**
 * Sends deliveries of a channel again, under the same ids.
 * @throws {Fault} `not_found`; `invalid_argument` for no choice, or a channel that is not on
 */
export function sendAgain(
  db: Db,
  actor: Actor,
  { workspaceId, channelId }: ChannelPlace,
  { ids, since }: DeliveryChoice,
): Promise<SentAgain> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const row = await requireChannel(tx, workspaceId, channelId)
    if (row.state !== 'on') {
      throw new Fault('invalid_argument', 'The channel is not on. Enable it first.')
    }
    if ((ids == null) === (since == null)) {
      throw new Fault('invalid_argument', 'Give either `deliveryIds` or `since`.')
    }
    const chosen: Prisma.DeliveryWhereInput = ids
      ? { id: { in: ids.filter(isUuid) } }
      : { createdAt: { gte: since ?? new Date() }, state: { in: ['failed', 'dropped'] } }
    const found = await tx.delivery.findMany({
      where: { channelId: row.id, ...chosen },
      select: { id: true },
      orderBy: { createdAt: 'desc' },
      take: mostAgain,
    })
    if (ids && found.length !== new Set(ids).size) throw notFound()
    await tx.delivery.updateMany({
      where: { id: { in: found.map(({ id }) => id) } },
      data: { state: 'waiting', nextAt: new Date(), attempts: 0 },
    })
    if (found.length > 0) await sendJob(tx, 'deliver', { channelId: row.id })
    const edits = found.length
      ? [
          {
            action: 'channel.send-again',
            subject: ['channel', row.id] as const,
            after: { deliveries: found.length },
          },
        ]
      : []
    return { subjectId: row.id, edits, row, count: found.length }
  })
}
