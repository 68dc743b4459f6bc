import { type EventKind, eventKinds, type ProjectEvent } from '../../core/live/events.ts'
import { projectArgs } from '../kit/args.ts'
import { readProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { projectEvent } from './events.ts'

const meanings: Record<EventKind, string> = {
  data_imported: 'An import became visible.',
  answers_reanalyzed: 'The mentions in all answers were counted again.',
  audit_progressed: 'An audit was requested, read a page, or ended.',
  report_progressed: 'A report was requested, began or ended.',
  sitemap_progressed: 'A refresh of the sitemap was requested, began or ended.',
  opportunities_evaluated: 'Opportunities were added or changed.',
  alarms_changed: 'An alarm was opened, closed or acknowledged.',
  project_edited: 'Somebody changed the project, its prompts, brands or topics.',
  crawlers_visited: 'Crawlers requested pages of the site.',
}

const eventKind = builder.enumType('ProjectEventKind', {
  description: 'What an event of a project is about.',
  values: Object.fromEntries(
    eventKinds.map((kind) => [kind, { description: meanings[kind] }]),
  ) as Record<EventKind, { description: string }>,
})

builder.subscriptionType({ description: 'Events of projects, as they happen.' })

builder.subscriptionField('projectUpdated', (t) =>
  t.field({
    type: projectEvent,
    access: readProject,
    view: 'graph',
    description:
      'Events of a project by server-sent events. Events that wait for a slow reader are merged.',
    args: {
      ...projectArgs,
      kinds: t.arg({
        type: [eventKind],
        description: 'Only events of these kinds. Unless given, all kinds.',
      }),
    },
    subscribe: async (_root, { projectId, kinds }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const { keyId, userId, workspaceId } = context.principal
      const wanted = new Set<EventKind>(kinds ?? eventKinds)
      const reader = { projectId: project.id, keyId, userId, workspaceId, kinds: wanted }
      return (await context.services.live.open(reader)) as AsyncIterable<ProjectEvent>
    },
    resolve: (event) => event,
  }),
)
