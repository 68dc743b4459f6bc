import {
  boundedEvent,
  type ChannelEvent,
  type EventData,
  type EventType,
  unasked,
} from '../../core/channels/events.ts'
import { asStored } from '../../core/stored-json.ts'
import type { Db } from '../../prisma/client.ts'
import { sendJob } from './jobs.ts'

/** Something that people of a workspace want to hear of. */
export interface Occurrence {
  readonly type: EventType
  readonly projectId: string
  /** What happened, in a sentence. */
  readonly title: string
  readonly text?: string
  readonly facts?: EventData['facts']
  readonly sections?: EventData['sections']
  /** Path of its page, from the page's name on: `data-collection/runs`. */
  readonly page: string
  /** A channel that hears of it in another way. */
  readonly exceptChannel?: string | undefined
  /** Ids of what it is about, by their names in the graph. */
  readonly ids?: Readonly<Record<string, string>>
  /** An earlier event about the same alarm: only channels that got it hear of this one. */
  readonly follows?: { readonly type: EventType; readonly alarmId: string }
}

/** The path of a page of a project. */
export const pagePath = (projectId: string, page: string) => `/projects/${projectId}/${page}`

/**
 * Writes deliveries of an event to channels, each with a job that sends it.
 * @param id of the delivery to one channel; by default a new one
 */
export async function deliverTo(
  tx: Db,
  channelIds: readonly string[],
  event: ChannelEvent,
  id?: string,
): Promise<void> {
  const body = boundedEvent(event)
  for (const channelId of channelIds) {
    await tx.delivery.create({
      data: {
        ...(id !== undefined && { id }),
        channelId,
        eventType: event.type,
        body: asStored(body),
      },
    })
    // One job waits for each channel: it sends all that is due.
    await sendJob(tx, 'deliver', { channelId })
  }
}

/**
 * Sends what happened to the channels of a project's workspace, in the transaction that records it: a rollback takes the
 * deliveries along. A channel hears of each event at least once.
 * @returns the number of channels
 */
export async function deliver(tx: Db, occurrence: Occurrence): Promise<number> {
  const {
    type,
    projectId,
    title,
    text = '',
    facts = [],
    sections,
    page,
    ids = {},
    exceptChannel,
    follows,
  } = occurrence
  const project = await tx.project.findUnique({
    where: { id: projectId },
    select: { id: true, name: true, domain: true, workspaceId: true },
  })
  if (!project) return 0
  const { workspaceId, ...shown } = project
  const chosen = unasked.includes(type)
    ? {}
    : { OR: [{ events: { isEmpty: true } }, { events: { has: type } }] }
  const channels = await tx.channel.findMany({
    where: {
      workspaceId,
      state: 'on',
      ...(exceptChannel === undefined ? {} : { id: { not: exceptChannel } }),
      ...chosen,
      ...(follows && {
        deliveries: {
          some: {
            eventType: follows.type,
            body: { path: ['data', 'alarmId'], equals: follows.alarmId },
          },
        },
      }),
      AND: { OR: [{ projectIds: { isEmpty: true } }, { projectIds: { has: projectId } }] },
    },
    select: { id: true },
  })
  if (channels.length === 0) return 0
  await deliverTo(
    tx,
    channels.map(({ id }) => id),
    {
      type,
      timestamp: new Date().toISOString(),
      data: {
        ...ids,
        workspaceId,
        project: shown,
        title,
        text,
        facts: [...facts],
        ...(sections && { sections }),
        link: pagePath(projectId, page),
      },
    },
  )
  return channels.length
}
