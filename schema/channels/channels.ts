import { type EventType, eventWords } from '../../core/channels/events.ts'
import {
  addChannel,
  type ChannelKind,
  type ChannelResult,
  type ChannelRow,
  changeChannel,
  loadChannels,
  removeChannel,
  rotateChannelSecret,
  switchChannel,
} from '../../resolvers/channels/channels.ts'
import {
  type DeliveryRow,
  readDeliveries,
  type SentAgain,
  sendAgain,
  type TestedChannel,
  testChannel,
} from '../../resolvers/channels/deliveries.ts'
import { inGraph, wholeSize } from '../kit/args.ts'
import { adminOfWorkspace, adminWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, type Services, sourcesOf } from '../kit/context.ts'
import { filterInput } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { wordsOf } from '../kit/words.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

const channelKind = wordsOf<ChannelKind>('ChannelKind', 'How events reach a channel.', {
  email: 'Mail to one address.',
  slack:
    'An incoming webhook of Slack, or of Mattermost, Rocket.Chat or Discord (its address with `/slack` at the end).',
  teams: 'A workflow of Microsoft Teams, which posts an Adaptive Card.',
  webhook: 'A POST of JSON to any address, signed by Standard Webhooks.',
})

const channelState = wordsOf<ChannelRow['state']>('ChannelState', 'Whether a channel is sent to.', {
  on: 'Events are sent.',
  unconfirmed: 'The owner of the e-mail address has not confirmed it, so nothing is sent.',
  paused: 'Somebody paused it: what happens meanwhile is not sent later.',
  disabled: 'The receiver took nothing for too long, or said that it is gone.',
})

const deliveryState = wordsOf<DeliveryRow['state']>(
  'DeliveryState',
  'The state of one event for one channel.',
  {
    waiting: 'The next try is to come.',
    sent: 'The receiver took it.',
    failed: 'The last try failed.',
    dropped: 'Given up, because the channel took nothing more.',
  },
)

const notificationEvent = wordsOf<EventType>(
  'NotificationEvent',
  'What can be sent to a channel.',
  Object.fromEntries(
    Object.entries(eventWords).map(([type, words]) => [
      type,
      [type.replace('.', '_'), `${words}: \`${type}\` in the payload.`] as const,
    ]),
  ) as Record<EventType, readonly [string, string]>,
)

export const channel = builder.objectRef<ChannelRow>('Channel').implement({
  description: 'Where a workspace sends events. Address and secret are encrypted.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the channel.' }),
    kind: t.field({
      type: channelKind,
      description: 'How events reach the channel.',
      resolve: ({ kind }) => kind,
    }),
    name: t.exposeString('name', { description: 'Name of the channel, unique in its workspace.' }),
    display: t.exposeString('display', {
      description: 'The e-mail address; of a webhook its server and the last four characters.',
    }),
    events: t.field({
      type: [notificationEvent],
      description: 'Events that the channel gets; empty for all.',
      resolve: ({ events }) => events as EventType[],
    }),
    projectIds: t.idList({
      description: 'Ids of the projects whose events the channel gets; empty for all.',
      resolve: ({ projectIds }) => [...projectIds],
    }),
    state: t.field({
      type: channelState,
      description: 'Whether the channel is sent to.',
      resolve: ({ state }) => state,
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why the channel was disabled, in a sentence; null where it was not.',
    }),
    firstFailedAt: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the first failure since the channel last worked; null while it works. After five days of failures it is disabled.',
    }),
    rotatedAt: t.expose('rotatedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the last change of the secret; for a day the one before signs too. Null for none.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the channel was added.',
    }),
  }),
})

const delivery = builder.objectRef<DeliveryRow>('Delivery').implement({
  description: 'One event for one channel. Deliveries are kept for 30 days.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'UUID of the delivery, the same for all tries: the `webhook-id` of a webhook.',
    }),
    channelId: t.exposeID('channelId', { description: 'UUID of the channel.' }),
    event: t.field({
      type: notificationEvent,
      description: 'What happened.',
      resolve: ({ eventType }) => eventType as EventType,
    }),
    title: t.string({
      description: 'What happened, in a sentence.',
      resolve: ({ body }) => (body as { data: { title: string } }).data.title,
    }),
    state: t.field({
      type: deliveryState,
      description: 'State of the delivery.',
      resolve: ({ state }) => state,
    }),
    attempts: t.exposeInt('attempts', { description: 'Tries so far.' }),
    nextAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next try; null where none is to come.',
    }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the receiver took it; null where it did not.',
    }),
    lastStatus: t.exposeInt('lastStatus', {
      nullable: true,
      description: 'Status of HTTP or SMTP of the last try; null where no reply came.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description:
        'Why the last try failed, followed by the first bytes of the reply; null where it did not.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the event.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const channelsOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadChannels(db, ids)),
)

builder.prismaObjectField(workspaceType, 'channels', (t) =>
  t.field(
    connectionField({
      type: connectionOf(channel, {
        description: 'Channels of a workspace, oldest first.',
        sortKey: ({ createdAt, id }) => [createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: adminOfWorkspace,
      description: 'Channels of notifications, oldest first. Needs `admin`.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await channelsOf(context).load(id),
      }),
    }),
  ),
)

const narrowing = builder.args((t) => ({
  channelId: t.id({ description: 'Only deliveries to this channel.' }),
  states: t.field({ type: [deliveryState], description: 'Only deliveries of these states.' }),
}))
inGraph({ channelId: narrowing.channelId }, { filter: 'channelId' })
inGraph({ states: narrowing.states }, { filter: 'states' })

filterInput('DeliveryFilter', {
  rows: 'Deliveries',
  own: {
    channelId: (t) => t.id({ description: 'Only deliveries to this channel.' }),
    states: (t) =>
      t.field({ type: [deliveryState], description: 'Only deliveries of these states.' }),
  },
})

builder.prismaObjectField(workspaceType, 'deliveries', (t) =>
  t.field(
    connectionField({
      type: connectionOf(delivery, {
        description: 'Deliveries to channels of a workspace, newest first.',
        sortKey: ({ createdAt, id }) => [createdAt.toISOString(), id],
      }),
      size: { default: 50, max: 500 },
      args: narrowing,
      access: adminOfWorkspace,
      description: 'Events for channels of the last 30 days, newest first. Needs `admin`.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, args, context) => {
        const { channelId, states, ...page } = args
        const chosen = { channelId: channelId == null ? null : String(channelId), states }
        return readDeliveries(context.services.db, id, chosen, page)
      },
    }),
  ),
)

const channelChange = builder.objectRef<OfWorkspace<ChannelResult>>('ChannelChange').implement({
  description: 'A channel that was added or changed.',
  fields: (t) => ({
    changed: t.exposeBoolean('changed', {
      description: 'False when the channel had this state already, so nothing was written.',
    }),
    channel: t.expose('row', { type: channel, description: 'The channel after the change.' }),
  }),
})

const channelSecret = builder.objectRef<OfWorkspace<ChannelResult>>('ChannelSecret').implement({
  description: 'A channel with its new secret.',
  fields: (t) => ({
    channel: t.expose('row', { type: channel, description: 'The channel.' }),
    secret: t.exposeString('secret', {
      nullable: true,
      description:
        'The secret that signs each POST, `whsec_…`, which is shown only now; null for a channel that is no webhook.',
    }),
  }),
})

const channelId = builder.args((t) => ({
  channelId: t.id({ required: true, description: 'Id of the channel.' }),
}))

const choices = builder.args((t) => ({
  events: t.field({
    type: [notificationEvent],
    description:
      'Events that the channel gets; empty for all. A digest and a test come in any case.',
  }),
  projectIds: t.idList({
    description: 'Ids of the projects whose events the channel gets; empty for all.',
  }),
}))

const inputOf = (args: {
  name?: string | null | undefined
  events?: readonly EventType[] | null | undefined
  projectIds?: readonly unknown[] | null | undefined
}) => ({
  name: args.name ?? undefined,
  events: args.events ? [...args.events] : undefined,
  projectIds: args.projectIds?.map(String),
})

/** Sends once, from this process. Its clients of HTTP and SMTP are much, and a channel is rarely tested. */
async function senderOf({ privateHosts, mail }: Pick<Services, 'privateHosts' | 'mail'>) {
  const [{ sendTo }, { openMailer }] = await Promise.all([
    import('../../sending/channel.ts'),
    import('../../sending/mail.ts'),
  ])
  const mailer = mail && openMailer(mail)
  return {
    send: (to: Parameters<typeof sendTo>[0], what: Parameters<typeof sendTo>[1]) =>
      sendTo(to, what, { privateHosts, mailer }),
    close: () => mailer?.close(),
  }
}

workspaceMutation('addChannel', {
  access: adminWorkspace,
  hasSecret: true,
  type: channelSecret,
  description:
    'Adds a channel. An e-mail address that belongs to no member gets nothing before its owner has confirmed it by a mailed link.',
  args: {
    ...builder.args((t) => ({
      kind: t.field({
        type: channelKind,
        required: true,
        description: 'How events reach the channel.',
      }),
      address: t.string({
        required: true,
        description: 'An e-mail address, or the https address that is sent to.',
      }),
      name: t.string({ description: 'Name of the channel. Default: made from the address.' }),
    })),
    ...choices,
  },
  change: (
    { db, actor, workspaceId, signingSecret, privateHosts, mail },
    { kind, address, ...args },
  ) =>
    addChannel(
      db,
      actor,
      workspaceId,
      { kind, address, ...inputOf(args) },
      { signingSecret, privateHosts, isMailed: mail !== null },
    ),
})

workspaceMutation('changeChannel', {
  access: adminWorkspace,
  type: channelChange,
  description: 'Changes the name of a channel, and what it gets.',
  args: {
    ...channelId,
    ...builder.args((t) => ({ name: t.string({ description: 'New name of the channel.' }) })),
    ...choices,
  },
  change: ({ db, actor, workspaceId }, args) =>
    changeChannel(db, actor, { workspaceId, channelId: String(args.channelId) }, inputOf(args)),
})

workspaceMutation('testChannel', {
  access: adminWorkspace,
  isOutside: true,
  type: builder.objectRef<OfWorkspace<TestedChannel>>('ChannelTest').implement({
    description: 'What a test of a channel found.',
    fields: (t) => ({
      testProblem: t.exposeString('testProblem', {
        nullable: true,
        description: 'Why the receiver did not take the test, in a sentence; null where it did.',
      }),
      delivery: t.expose('delivery', { type: delivery, description: 'The test.' }),
      channel: t.expose('row', { type: channel, description: 'The channel after the test.' }),
    }),
  }),
  description: 'Sends a test to a channel immediately, with one try.',
  args: channelId,
  change: async ({ db, workspaceId, signingSecrets, privateHosts, mail, baseUrl }, args) => {
    const { send, close } = await senderOf({ privateHosts, mail })
    const place = { workspaceId, channelId: String(args.channelId) }
    return testChannel(db, { baseUrl, signingSecrets }, place, send).finally(close)
  },
})

workspaceMutation('rotateChannelSecret', {
  access: adminWorkspace,
  hasSecret: true,
  type: channelSecret,
  description: 'Gives a webhook a new secret. For 24 hours the secret before signs too.',
  args: channelId,
  change: ({ db, actor, workspaceId, signingSecret }, args) =>
    rotateChannelSecret(
      db,
      actor,
      { workspaceId, channelId: String(args.channelId) },
      signingSecret,
    ),
})

for (const [name, state, description] of [
  [
    'pauseChannel',
    'paused',
    'Pauses a channel. What waits for it is given up, and what happens meanwhile is not sent later.',
  ],
  ['enableChannel', 'on', 'Sends to a paused or disabled channel again.'],
] as const) {
  workspaceMutation(name, {
    access: adminWorkspace,
    type: channelChange,
    description,
    args: channelId,
    change: ({ db, actor, workspaceId }, args) =>
      switchChannel(db, actor, { workspaceId, channelId: String(args.channelId) }, state),
  })
}

workspaceMutation('removeChannel', {
  access: adminWorkspace,
  type: workspaceChange,
  description: 'Removes a channel with its deliveries and digests.',
  args: channelId,
  change: ({ db, actor, workspaceId }, args) =>
    removeChannel(db, actor, { workspaceId, channelId: String(args.channelId) }),
})

workspaceMutation('sendAgain', {
  access: adminWorkspace,
  type: builder.objectRef<OfWorkspace<SentAgain>>('DeliveriesSentAgain').implement({
    description: 'Deliveries that are sent again.',
    fields: (t) => ({
      count: t.exposeInt('count', { description: 'Number of the deliveries.' }),
      channel: t.expose('row', { type: channel, description: 'The channel.' }),
    }),
  }),
  description:
    'Sends deliveries of a channel again, under the same ids: those of `deliveryIds`, or all that failed or were given up since a time, at most 1,000.',
  args: {
    ...channelId,
    ...builder.args((t) => ({
      deliveryIds: t.idList({ description: 'Ids of deliveries, whatever their state.' }),
      since: t.field({
        type: 'DateTime',
        description: 'Time of the first event that is sent again, in place of `deliveryIds`.',
      }),
    })),
  },
  change: ({ db, actor, workspaceId }, args) =>
    sendAgain(
      db,
      actor,
      { workspaceId, channelId: String(args.channelId) },
      { ids: args.deliveryIds?.map(String), since: args.since },
    ),
})
