import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type EventType, eventTypes, unasked } from '../../core/channels/events.ts'
import { makeWebhookSecret } from '../../core/channels/webhook.ts'
import { sealSecret } from '../../core/collecting/providers/sealed.ts'
import { Fault, invalid, notFound } from '../../core/errors.ts'
import {
  mayBeClear,
  openPorts,
  type PrivateHost,
  privateHostFor,
} from '../../core/sites/private-hosts.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit, Facts } from '../shared/audit-trail.ts'
import { difference } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check, email, label } from '../shared/inputs.ts'
import { sendJob } from '../shared/jobs.ts'

/** What is shown of a channel: neither its address nor its secrets. */
export const shown = {
  id: true,
  workspaceId: true,
  kind: true,
  name: true,
  display: true,
  events: true,
  projectIds: true,
  state: true,
  disabledReason: true,
  failingSince: true,
  rotatedAt: true,
  createdAt: true,
  updatedAt: true,
} as const

export type ChannelRow = Awaited<ReturnType<typeof loadChannels>>[number][number]
export type ChannelKind = ChannelRow['kind']

/** Channels of each workspace, the oldest first. */
export async function loadChannels(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.channel.findMany({
    where: { workspaceId: { in: [...workspaceIds] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: shown,
  })
  return groupByWorkspace(workspaceIds, rows)
}

/** More would be sent to with each event. */
const mostChannels = 50

const choices = eventTypes.filter((type) => !unasked.includes(type))
const events = z
  .array(
    z.string().refine((type) => (choices as string[]).includes(type), {
      error: ({ input }) => `has the unknown event \`${input}\`. Events: ${choices.join(', ')}`,
    }),
  )
  .max(50)
  .transform((types) => [...new Set(types)] as EventType[])
const projectIds = z
  .array(z.string().toLowerCase())
  .max(500, 'must have at most 500 projects')
  .transform((ids) => [...new Set(ids)])

const changeSchema = z.object({
  name: label.optional(),
  events: events.optional(),
  projectIds: projectIds.optional(),
})

export interface ChannelInput extends z.input<typeof changeSchema> {
  readonly kind: ChannelKind
  readonly address: string
}

/** What the address must be, by the kind of the channel. */
function readAddress(
  kind: ChannelKind,
  address: string,
  privateHosts: readonly PrivateHost[],
): string {
  if (kind === 'email') return check(z.object({ address: email }), { address }).address
  const text = address.trim()
  const url = URL.parse(text)
  if (!url || text.length > 2000 || !/^https?:$/.test(url.protocol)) {
    throw invalid('address', 'must be a URL that begins with https://')
  }
  if (url.protocol === 'http:' && !mayBeClear(privateHosts, url)) {
    throw invalid('address', 'must begin with https://: others could read http')
  }
  if (`${url.username}${url.password}` !== '') {
    throw invalid('address', 'must have no user or password')
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!openPorts.includes(port) && !privateHostFor(privateHosts, url.hostname, port)) {
    throw invalid('address', `must have one of the ports ${openPorts.join(', ')}`)
  }
  return url.href
}

/** What people see of an address: the path of a webhook is its secret. */
function displayOf(kind: ChannelKind, address: string): string {
  if (kind === 'email') return address
  const { origin, pathname, search } = new URL(address)
  return pathname === '/' && search === '' ? origin : `${origin}/…${address.slice(-4)}`
}

const factsOf = ({
  kind,
  name,
  display,
  state,
}: Pick<ChannelRow, 'kind' | 'name' | 'display' | 'state'>): Facts => ({
  kind,
  name,
  display,
  state,
})

/** The bytes of a channel open nowhere else. */
const placeOf = ({ id, workspaceId }: { id: string; workspaceId: string }) =>
  `channel ${workspaceId}:${id}`

export { placeOf as sealedPlaceOf }

export async function requireChannel(
  db: Db,
  workspaceId: string,
  channelId: string,
): Promise<ChannelRow> {
  const where = { id: channelId.toLowerCase(), workspaceId }
  const row = isUuid(channelId) ? await db.channel.findFirst({ where, select: shown }) : null
  if (!row) throw notFound()
  return row
}

async function refuseForeignProjects(
  tx: Db,
  workspaceId: string,
  ids: readonly string[] = [],
): Promise<void> {
  const known = ids.every(isUuid)
    ? await tx.project.count({ where: { workspaceId, id: { in: [...ids] } } })
    : -1
  if (known !== ids.length) {
    throw invalid('projectIds', 'must be ids of projects of this workspace')
  }
}

async function refuseSameName(
  tx: Db,
  workspaceId: string,
  name: string | undefined,
  id?: string,
): Promise<void> {
  if (name === undefined) return
  const same = await tx.channel.findFirst({ where: { workspaceId, name }, select: { id: true } })
  if (same && same.id !== id) throw invalid('name', 'belongs to another channel', name)
}

const isMemberAddress = async (tx: Db, workspaceId: string, address: string) =>
  (await tx.membership.count({ where: { workspaceId, user: { email: address } } })) > 0

export interface ChannelResult extends WorkspaceChangeResult {
  readonly row: ChannelRow
  /** The new secret of a webhook, which is shown only now; null for others. */
  readonly secret: string | null
}

interface Sealing {
  readonly signingSecret: string
  readonly privateHosts: readonly PrivateHost[]
  /** Whether the service has a mail server. */
  readonly isMailed: boolean
}

const names: Readonly<Record<ChannelKind, string>> = {
  email: 'E-mail',
  slack: 'Slack',
  teams: 'Teams',
  webhook: 'Webhook',
}

/**
 * Adds a channel. An e-mail address of nobody in the workspace gets nothing before its owner has confirmed it by a mailed
 * link.
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace
 */
export function addChannel(
  db: Db,
  actor: Actor,
  workspaceId: string,
  { kind, address: given, ...input }: ChannelInput,
  { signingSecret, privateHosts, isMailed }: Sealing,
): Promise<ChannelResult> {
  const wanted = check(changeSchema, input)
  const address = readAddress(kind, given, privateHosts)
  if (kind === 'email' && !isMailed) {
    const message = 'This service has no mail server. Whoever runs it sets SMTP_URL.'
    throw new Fault('invalid_argument', message)
  }
  const display = displayOf(kind, address)
  const { events: types = [], projectIds: ids = [] } = wanted
  const secret = kind === 'webhook' ? makeWebhookSecret() : null
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    await refuseForeignProjects(tx, workspaceId, ids)
    if ((await tx.channel.count({ where: { workspaceId } })) >= mostChannels) {
      throw new Fault('invalid_argument', `A workspace has at most ${mostChannels} channels.`)
    }
    const name = wanted.name ?? `${names[kind]} ${display}`.slice(0, 200)
    await refuseSameName(tx, workspaceId, name)
    const id = randomUUID()
    const place = placeOf({ id, workspaceId })
    const isMember = kind !== 'email' || (await isMemberAddress(tx, workspaceId, address))
    const row = await tx.channel.create({
      data: {
        id,
        workspaceId,
        kind,
        name,
        display,
        sealed: sealSecret(signingSecret, place, address),
        secretsSealed: secret === null ? [] : [sealSecret(signingSecret, place, secret)],
        events: types,
        projectIds: ids,
        state: isMember ? 'on' : 'unconfirmed',
      },
      select: shown,
    })
    if (!isMember) await sendJob(tx, 'mail', { id, kind: 'channel' })
    const edit: Edit = { action: 'channel.add', subject: ['channel', id], after: factsOf(row) }
    return { subjectId: id, edits: [edit], row, secret }
  })
}

const listed = (values: readonly string[]) => values.join(' ')

/**
 * Changes the name of a channel, and what it gets.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export function changeChannel(
  db: Db,
  actor: Actor,
  { workspaceId, channelId }: ChannelPlace,
  input: z.input<typeof changeSchema>,
): Promise<ChannelResult> {
  const wanted = check(changeSchema, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const before = await requireChannel(tx, workspaceId, channelId)
    await refuseForeignProjects(tx, workspaceId, wanted.projectIds)
    await refuseSameName(tx, workspaceId, wanted.name, before.id)
    const data = {
      ...(wanted.name !== undefined && { name: wanted.name }),
      ...(wanted.events !== undefined && { events: wanted.events }),
      ...(wanted.projectIds !== undefined && { projectIds: wanted.projectIds }),
    }
    const facts = (row: Pick<ChannelRow, 'name' | 'events' | 'projectIds'>) => ({
      name: row.name,
      events: listed(row.events),
      projectIds: listed(row.projectIds),
    })
    const changes = difference(facts(before), facts({ ...before, ...data }))
    if (!changes) return { subjectId: before.id, edits: [], row: before, secret: null }
    const row = await tx.channel.update({ where: { id: before.id }, data, select: shown })
    const edit: Edit = { action: 'channel.change', subject: ['channel', row.id], ...changes }
    return { subjectId: row.id, edits: [edit], row, secret: null }
  })
}

export interface ChannelPlace {
  readonly workspaceId: string
  readonly channelId: string
}

/**
 * Gives a webhook a new secret. For a day both sign, so that the receiver changes over without a gap.
 * @throws {Fault} `not_found`; `invalid_argument` for another kind of channel
 */
export function rotateChannelSecret(
  db: Db,
  actor: Actor,
  { workspaceId, channelId }: ChannelPlace,
  signingSecret: string,
): Promise<ChannelResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const found = await requireChannel(tx, workspaceId, channelId)
    if (found.kind !== 'webhook') {
      throw new Fault('invalid_argument', 'Only a webhook has a secret that signs.')
    }
    const { id } = found
    const { secretsSealed } = await tx.channel.findUniqueOrThrow({
      where: { id },
      select: { secretsSealed: true },
    })
    const secret = makeWebhookSecret()
    const sealed = sealSecret(signingSecret, placeOf(found), secret)
    const row = await tx.channel.update({
      where: { id },
      data: { secretsSealed: [sealed, ...secretsSealed.slice(0, 1)], rotatedAt: new Date() },
      select: shown,
    })
    return {
      subjectId: id,
      edits: [{ action: 'channel.rotate', subject: ['channel', id], after: {} }],
      row,
      secret,
    }
  })
}

/**
 * Pauses a channel: it hears nothing of what happens meanwhile. Or enables a paused or disabled one again; an address that is
 * no member's, and that its reader ended, is confirmed again first.
 * @throws {Fault} `not_found`; `invalid_argument` for an address that its owner has not confirmed
 */
export function switchChannel(
  db: Db,
  actor: Actor,
  { workspaceId, channelId }: ChannelPlace,
  to: 'on' | 'paused',
): Promise<ChannelResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const before = await requireChannel(tx, workspaceId, channelId)
    const { id, kind, display, state } = before
    if (state === 'unconfirmed') {
      throw new Fault('invalid_argument', 'The owner of the address has not confirmed it yet.')
    }
    if (state === to) return { subjectId: id, edits: [], row: before, secret: null }
    const needsConfirmation =
      to === 'on' &&
      state === 'disabled' &&
      kind === 'email' &&
      !(await isMemberAddress(tx, workspaceId, display))
    const next = needsConfirmation ? 'unconfirmed' : to
    if (needsConfirmation) await sendJob(tx, 'mail', { id, kind: 'channel' })
    const row = await tx.channel.update({
      where: { id },
      data: { state: next, disabledReason: null, failingSince: null },
      select: shown,
    })
    if (to === 'paused') await dropWaiting(tx, id)
    const edit: Edit = {
      action: to === 'on' ? 'channel.enable' : 'channel.pause',
      subject: ['channel', id],
      before: { state },
      after: { state: next },
    }
    return { subjectId: id, edits: [edit], row, secret: null }
  })
}

/** Gives up what waits for a channel that takes nothing more. */
export async function dropWaiting(tx: Db, channelId: string): Promise<void> {
  await tx.delivery.updateMany({
    where: { channelId, state: 'waiting' },
    data: { state: 'dropped', nextAt: null },
  })
}

/**
 * Removes a channel with its deliveries and digests.
 * @throws {Fault} `not_found`
 */
export function removeChannel(
  db: Db,
  actor: Actor,
  { workspaceId, channelId }: ChannelPlace,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const found = await requireChannel(tx, workspaceId, channelId)
    await tx.channel.delete({ where: { id: found.id } })
    const edit: Edit = {
      action: 'channel.remove',
      subject: ['channel', found.id],
      before: factsOf(found),
    }
    return { subjectId: found.id, edits: [edit] }
  })
}
