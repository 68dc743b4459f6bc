import { utcDayOf } from '../../core/window.ts'
import type { AnalyticsKind } from '../../resolvers/connections/analytics.ts'
import {
  addFeed,
  type FeedRow,
  type FeedState,
  loadFeeds,
  progressOf,
  pullNow,
  removeFeed,
  stateOf,
} from '../../resolvers/connections/feeds.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject, readOfProject, scopeOf } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, oncePerRequest } from '../kit/context.ts'
import { projectChange, projectMutation } from '../kit/project-mutation.ts'
import { wordsOf } from '../kit/words.ts'

const feedKind = wordsOf<AnalyticsKind>('FeedKind', 'A source that data is pulled from.', {
  searchConsole: 'Google Search Console: clicks and impressions.',
  bingWebmaster: 'Bing Webmaster Tools: clicks and impressions.',
  webAnalytics: 'Google Analytics 4: sessions.',
})

const feedState = wordsOf<FeedState>('FeedState', 'What a feed does now.', {
  backfilling: 'Days back to the first one are being loaded.',
  current: 'All days are loaded, and new ones are pulled daily.',
  failing: 'The last pull failed: `problem` says why.',
})

const feed = builder.objectRef<FeedRow>('DataFeed').implement({
  description: 'Data of a project that Sightline pulls daily.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the feed.' }),
    kind: t.field({
      type: feedKind,
      description: 'Source of the data.',
      resolve: ({ kind }) => kind as AnalyticsKind,
    }),
    name: t.exposeString('name', {
      description: 'Site as its search console writes it, or number of the property.',
    }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'Name of the property and of its account; null for a site.',
    }),
    accountEmail: t.string({
      nullable: true,
      description: 'Google account that reads the data; null once it was removed, and for Bing.',
      resolve: ({ account }) => account?.email ?? null,
    }),
    state: t.field({
      type: feedState,
      description: 'What the feed does now.',
      resolve: stateOf,
    }),
    firstDay: t.field({
      type: 'Date',
      description:
        'First day that is to be loaded, 16 months before the feed was added. Bing has fewer days.',
      resolve: ({ firstDay }) => utcDayOf(firstDay),
    }),
    loadedFrom: t.field({
      type: 'Date',
      nullable: true,
      description:
        'First day that is loaded; of Bing, the first that it had. Null before the first.',
      resolve: ({ loadedFrom }) => loadedFrom && utcDayOf(loadedFrom),
    }),
    loadedTo: t.field({
      type: 'Date',
      nullable: true,
      description: 'Last day that was requested; null before the first.',
      resolve: ({ loadedTo }) => loadedTo && utcDayOf(loadedTo),
    }),
    daysLoaded: t.int({
      description: 'Days that are loaded.',
      resolve: (row) => progressOf(row).loaded,
    }),
    daysTotal: t.int({
      description: 'Days that are loaded once the backfill is done.',
      resolve: (row) => progressOf(row).total,
    }),
    rowsLoaded: t.float({
      description: 'Rows that were loaded, those that replaced an earlier one included.',
      resolve: ({ rows }) => Number(rows),
    }),
    pulledAt: t.expose('pulledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last days that were loaded; null before the first.',
    }),
    nextPullAt: t.expose('nextPullAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next pull; null where somebody has to sign in again first.',
    }),
    problem: t.exposeString('problemText', {
      nullable: true,
      description: 'Why the last pull failed, in a sentence; null where it did not.',
    }),
    firstFailedAt: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the first failure since the feed last worked; null while it works.',
    }),
  }),
})

/** Without a cache: one request may change a feed and read it. */
const feedsOf = oncePerRequest(({ services: { db } }) => freshLoader((ids) => loadFeeds(db, ids)))

builder.objectField('Project', 'dataFeeds', (t) =>
  t.field({
    type: [feed],
    access: readOfProject,
    description: 'Data that is pulled daily, the oldest feed first.',
    resolve: ({ project }: ProjectScope, _args, context) => feedsOf(context).load(project.id),
  }),
)

const kind = builder.args((t) => ({
  kind: t.field({ type: feedKind, required: true, description: 'Source of the data.' }),
}))

builder.mutationField('addDataFeed', (t) =>
  t.field({
    type: projectChange,
    access: adminProject,
    view: 'graph',
    description:
      'Pulls a site of a search console or a property of Google Analytics 4. Of Google, the last 28 days come first, then 16 months back; of Bing, all that it has; from then on both come daily.',
    args: {
      ...projectArgs,
      ...kind,
      accountId: t.arg.id({
        description: 'Id of the Google account that reads the data. Required but for Bing.',
      }),
      name: t.arg.string({
        required: true,
        description:
          'Site as its search console writes it, such as `sc-domain:example.com` or `https://example.com/`, or number of a property.',
      }),
      label: t.arg.string({ description: 'Name of the property for people.' }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { db, retention } = context.services
      const input = {
        kind: args.kind,
        accountId: args.accountId == null ? null : String(args.accountId),
        name: args.name,
        label: args.label ?? null,
      }
      const change = await addFeed(db, actorOf(context), project.id, input, retention.analytics)
      return { projectId: project.id, ...change }
    },
  }),
)

projectMutation('pullDataFeed', {
  description: 'Pulls a feed now, also one that fails.',
  args: kind,
  change: ({ db, actor, projectId }, args) => pullNow(db, actor, projectId, args.kind),
})

projectMutation('removeDataFeed', {
  description:
    'Ends a feed. Its rows stay, and so does the link of the project to its site or property.',
  args: kind,
  change: ({ db, actor, projectId }, args) => removeFeed(db, actor, projectId, args.kind),
})
