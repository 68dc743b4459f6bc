import {
  type DigestResult,
  type DigestRow,
  loadDigests,
  removeDigest,
  setDigest,
} from '../../resolvers/channels/digests.ts'
import { adminWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { channel } from './channels.ts'

const digest = builder.objectRef<DigestRow>('Digest').implement({
  description: 'The weekly summary of a project, for a channel.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the digest.' }),
    channelId: t.exposeID('channelId', { description: 'UUID of the channel.' }),
    projectId: t.exposeID('projectId', { description: 'UUID of the project.' }),
    projectName: t.string({
      description: 'Name of the project.',
      resolve: ({ project }) => project.name,
    }),
    weekday: t.exposeInt('weekday', { description: 'Day of the week: 1 is Monday, 7 Sunday.' }),
    hour: t.exposeInt('hour', { description: 'Hour of the day, 0 to 23, in the time zone.' }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA name of the time zone, such as `Europe/Berlin`.',
    }),
    nextAt: t.expose('nextAt', { type: 'DateTime', description: 'Time of the next digest.' }),
  }),
})

/** Without a cache: one request may change a channel and read it. */
const digestsOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadDigests(db, ids)),
)

builder.objectField(channel, 'digests', (t) =>
  t.field({
    type: [digest],
    description: 'Weekly summaries that the channel gets, the oldest first.',
    resolve: ({ id }, _args, context) => digestsOf(context).load(id),
  }),
)

workspaceMutation('setDigest', {
  access: adminWorkspace,
  type: builder.objectRef<OfWorkspace<DigestResult>>('DigestChange').implement({
    description: 'A digest that was set.',
    fields: (t) => ({
      changed: t.exposeBoolean('changed', {
        description: 'False when the digest was set like this already, so nothing was written.',
      }),
      digest: t.expose('row', { type: digest, description: 'The digest.' }),
    }),
  }),
  description:
    'Sends a summary of a project to a channel each week. A digest of the same channel and project is changed.',
  args: builder.args((t) => ({
    channelId: t.id({ required: true, description: 'Id of the channel.' }),
    projectId: t.id({ required: true, description: 'Id of a project of the workspace.' }),
    weekday: t.int({ description: 'Day of the week: 1 is Monday, 7 Sunday. Default 1.' }),
    hour: t.int({ description: 'Hour of the day, 0 to 23. Default 7.' }),
    timeZone: t.string({ description: 'IANA name of the time zone. Default `UTC`.' }),
  })),
  change: ({ db, actor, workspaceId }, args) =>
    setDigest(db, actor, workspaceId, {
      channelId: String(args.channelId),
      projectId: String(args.projectId),
      weekday: args.weekday ?? undefined,
      hour: args.hour ?? undefined,
      timeZone: args.timeZone ?? undefined,
    }),
})

workspaceMutation('removeDigest', {
  access: adminWorkspace,
  type: workspaceChange,
  description: 'Ends a weekly summary.',
  args: builder.args((t) => ({
    digestId: t.id({ required: true, description: 'Id of the digest.' }),
  })),
  change: ({ db, actor, workspaceId }, { digestId }) =>
    removeDigest(db, actor, workspaceId, String(digestId)),
})
