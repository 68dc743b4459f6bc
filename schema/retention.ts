import { type KeptKind, keptKinds } from '../core/retention.ts'
import {
  type OlderData,
  previewRetention,
  type RetentionInput,
  setRetention,
} from '../resolvers/retention/retention.ts'
import { ownerOfWorkspace } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { sourcesOf } from './kit/context.ts'
import { workspaceChange, workspaceMutation } from './workspaces/mutation.ts'
import { keptData, workspaceType } from './workspaces/workspaces.ts'

const keptKind = builder.enumType('KeptKind', {
  description: 'A kind of data that is kept for a number of days.',
  values: Object.fromEntries(
    keptKinds.map((kind) => [kind, { description: `The ${keptData[kind]}.` }]),
  ) as Record<KeptKind, { description: string }>,
})

const olderData = builder.objectRef<OlderData>('OlderData').implement({
  description: 'Data of one kind that a retention would remove in the next night.',
  fields: (t) => ({
    kind: t.expose('kind', { type: keptKind, description: 'Kind of the data.' }),
    firstKeptOn: t.expose('firstDay', {
      type: 'Date',
      description: 'First UTC day whose data would stay.',
    }),
    rowCount: t.exposeInt('rows', {
      description: 'Answers, visits, rows, texts, audits or entries that would be removed.',
    }),
  }),
})

const argsOfKinds = builder.args((t) => {
  const days = (kind: KeptKind) =>
    t.int({
      description: `Days to keep ${keptData[kind]}, from 1. Null: as long as the service keeps them. Absent: no change.`,
    })
  return {
    answers: days('answers'),
    crawlerHits: days('crawlerHits'),
    analytics: days('analytics'),
    pageContents: days('pageContents'),
    audits: days('audits'),
    auditTrail: days('auditTrail'),
  }
})

builder.prismaObjectField(workspaceType, 'retentionPreview', (t) =>
  t.field({
    type: [olderData],
    access: ownerOfWorkspace,
    description:
      'What limits would remove of the workspace in the next night. Changes nothing. For owners.',
    args: argsOfKinds,
    resolve: (workspace, args, context) =>
      previewRetention(
        sourcesOf(context),
        workspace,
        context.services.retention,
        args as RetentionInput,
      ),
  }),
)

workspaceMutation('setRetention', {
  type: workspaceChange,
  description:
    'Sets how long the workspace keeps data, up to what the service keeps. Older data is removed in the next night, for good: read `retentionPreview` first.',
  args: argsOfKinds,
  change: ({ db, actor, workspaceId, retention }, args) =>
    setRetention(db, actor, workspaceId, retention, args as RetentionInput),
})
