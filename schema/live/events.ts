import type {
  CrawlerHits,
  EditEvent,
  HitsEvent,
  ProjectEvent,
  SubjectEvent,
} from '../../core/live/events.ts'
import { report } from '../../resolvers/reports/reports.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { botsOfMany, type TrafficBot } from '../../resolvers/traffic/bots.ts'
import { resolveCrawls } from '../../resolvers/traffic/crawls.ts'
import { auditLoaders, auditType } from '../audits/audit.ts'
import { scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { projectType } from '../projects/projects.ts'
import { fullReport } from '../reports/report.ts'
import { trafficBot } from '../traffic/bots.ts'

const typeOf = {
  data_imported: 'DataImported',
  answers_reanalyzed: 'AnswersReanalyzed',
  audit_progressed: 'AuditProgressed',
  report_progressed: 'ReportProgressed',
  sitemap_progressed: 'SitemapProgressed',
  opportunities_evaluated: 'OpportunitiesEvaluated',
  alarms_changed: 'AlarmsChanged',
  project_edited: 'ProjectEdited',
  crawlers_visited: 'CrawlersVisited',
  updates_missed: 'UpdatesMissed',
} as const satisfies Record<ProjectEvent['kind'], string>

export const projectEvent = builder.interfaceRef<ProjectEvent>('ProjectEvent').implement({
  description: 'An event of a project.',
  resolveType: ({ kind }) => typeOf[kind],
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'Time of the change.' }),
    project: t.field({
      type: projectType,
      description: 'The project as it is now.',
      resolve: ({ projectId }, _args, context) => scopeOf(context, projectId),
    }),
  }),
})

/** Events that have no more to name than their project. */
const plain = {
  DataImported: 'An import became visible.',
  AnswersReanalyzed: 'The mentions in all answers were counted again.',
  SitemapProgressed: 'The `sitemap` of the project changed its state.',
  OpportunitiesEvaluated: 'The `opportunities` of the project changed.',
  AlarmsChanged: 'An alarm was opened, closed or acknowledged: ask for `alarms` again.',
  UpdatesMissed: 'Events may be missing: ask again for what you show.',
}
for (const [name, description] of Object.entries(plain)) {
  builder.objectType(builder.objectRef<ProjectEvent>(name), {
    description,
    interfaces: [projectEvent],
  })
}

builder.objectRef<SubjectEvent>('AuditProgressed').implement({
  description: 'An audit was requested, read a page, or ended.',
  interfaces: [projectEvent],
  fields: (t) => ({
    audit: t.field({
      type: auditType,
      nullable: true,
      description: 'The audit as it is now; null when it is deleted.',
      resolve: ({ subjectId }, _args, context) => auditLoaders(context).audit.load(subjectId),
    }),
  }),
})

builder.objectRef<SubjectEvent>('ReportProgressed').implement({
  description: 'A report was requested, began or ended.',
  interfaces: [projectEvent],
  fields: (t) => ({
    report: t.field({
      type: fullReport,
      description: 'The report as it is now.',
      resolve: async ({ projectId, subjectId }, _args, context) =>
        report(await scopeOf(context, projectId), subjectId),
    }),
  }),
})

builder.objectRef<EditEvent>('ProjectEdited').implement({
  description: 'Somebody changed the project, its prompts, brands or topics.',
  interfaces: [projectEvent],
  fields: (t) => ({
    actions: t.stringList({
      description: 'The changes by subject and verb, such as `competitor.add`, each once.',
      resolve: ({ actions }) => [...actions],
    }),
  }),
})

type HitsOfProject = CrawlerHits & { readonly projectId: string }

const crawlerHits = builder.objectRef<HitsOfProject>('NewHits').implement({
  description: 'New hits of one crawler.',
  fields: (t) => ({
    botName: t.exposeString('botName', { description: 'Name of the crawler.' }),
    hits: t.expose('hits', { type: 'Int', description: 'New hits.' }),
    crawler: t.field({
      type: trafficBot,
      nullable: true,
      description: 'The crawler with its hits of the last 7 days; null without a hit in them.',
      resolve: async ({ projectId, botName }, _args, context): Promise<TrafficBot | null> => {
        const scope = await scopeOf(context, projectId)
        const asked = { ...resolveCrawls(scope, { days: 7 }), limit: 1000, offset: 0 }
        const bots = await batched('traffic.bots', scope, asked, botsOfMany)
        return bots.find((bot) => bot.botName === botName) ?? null
      },
    }),
  }),
})

builder.objectRef<HitsEvent>('CrawlersVisited').implement({
  description: 'Crawlers requested pages of the site. One event covers 10 seconds.',
  interfaces: [projectEvent],
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      description: 'Start of the time in which the hits arrived; `at` is its end.',
    }),
    hits: t.field({
      type: 'Int',
      description: 'New hits of all crawlers.',
      resolve: ({ crawlers }) => crawlers.reduce((sum, { hits }) => sum + hits, 0),
    }),
    crawlers: t.field({
      type: [crawlerHits],
      description: 'New hits by crawler, the most first.',
      resolve: ({ crawlers, projectId }) => crawlers.map((row) => ({ ...row, projectId })),
    }),
  }),
})
