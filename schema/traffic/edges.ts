import { rounded, share } from '../../core/metrics.ts'
import { resolveWindow, yearWindow } from '../../core/window.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { botsOfMany } from '../../resolvers/traffic/bots.ts'
import { resolveCrawls } from '../../resolvers/traffic/crawls.ts'
import {
  type CrawledPage,
  type CrawlerArgs,
  type CrawlerVerification,
  crawlsOf,
  pagesOfCrawlers,
  urlOfCrawl,
  verificationOf,
} from '../../resolvers/traffic/edges.ts'
import { referralsOfMany } from '../../resolvers/traffic/referrals.ts'
import { windowArgs } from '../kit/args.ts'
import { readOfOwner, readOfProject, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { flatArgs, graphArgs, windowOf, withInputNames } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { platformById } from '../projects/members.ts'
import { platformType } from '../projects/platforms.ts'
import { trafficBot } from './bots.ts'
import { hitArgs, hitsMeaning, meaningOfBot } from './crawlers.ts'
import { platformSessions } from './traffic.ts'

const crawledPage = builder.objectRef<CrawledPage>('PageOfCrawler').implement({
  description: 'A page that one AI crawler read.',
  fields: (t) => ({
    host: t.exposeString('host', { description: 'Host of the page, such as `www.example.com`.' }),
    path: t.exposeString('path', { description: 'Path of the page.' }),
    visits: t.expose('visits', { type: 'Int', description: hitsMeaning }),
    lastSeenAt: t.field({
      type: 'DateTime',
      description: meaningOfBot.lastSeen,
      resolve: ({ lastMs }) => new Date(lastMs),
    }),
    page: t.field({
      type: pageType,
      nullable: true,
      description: 'The known page of the site at this host and path; null for an unknown page.',
      resolve: (crawled, _args, context) => {
        const url = urlOfCrawl(crawled)
        if (url === null) return null
        return pageLoaders(context).byUrl.load({ projectId: crawled.projectId, url })
      },
    }),
  }),
})

const verification = builder.objectRef<CrawlerVerification>('CrawlerVerification').implement({
  description: 'Hits of one AI crawler by what their addresses and signatures prove.',
  fields: (t) => ({
    verified: t.expose('verified', {
      type: 'Int',
      description: 'Hits from address ranges that the vendor publishes.',
    }),
    claimed: t.expose('claimed', {
      type: 'Int',
      description: 'Hits that cannot be checked: no published ranges, or no public address.',
    }),
    impostor: t.expose('impostor', {
      type: 'Int',
      description: 'Hits from outside the published ranges.',
    }),
    signed: t.expose('signed', {
      type: 'Int',
      description: 'Hits that the agent signed with a key that it publishes (Web Bot Auth).',
    }),
    verifiedShare: t.float({
      nullable: true,
      description:
        'Percent: verified and signed hits of these and impostors. Null when none can be checked.',
      resolve: ({ verified, signed, impostor }) =>
        rounded(share(verified + signed, verified + signed + impostor)),
    }),
  }),
})

const crawledPages = connectionOf(crawledPage, {
  description: 'Pages that one AI crawler read, most hits first.',
  isCounted: true,
})

builder.objectFields(trafficBot, (t) => ({
  platform: t.field({
    type: platformType,
    nullable: true,
    view: 'graph',
    description: 'The AI platform that the crawler serves; null when it serves no known platform.',
    resolve: ({ projectId, platformId }, _args, context) =>
      platformById(context, projectId, platformId),
  }),
  verification: t.field({
    type: verification,
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: 'Whether the hits of the crawler come from the addresses of its vendor.',
    resolve: async (bot, _args, context) => {
      const parent = { scope: await scopeOf(context, bot.projectId), bot }
      return together(context, 'bot.verification', parent, bot.crawls, verificationOf)
    },
  }),
  pages: t.field(
    connectionField({
      type: crawledPages,
      description: 'Pages that the crawler read in the window of the crawler, most hits first.',
      size: { default: 10, max: 1000 },
      idOf: ({ projectId, botId, crawls }: typeof trafficBot.$inferType) =>
        JSON.stringify([projectId, botId, crawls]),
      resolve: async (bot, { limit, offset }, context, scope) => {
        const asked = { ...bot.crawls, botName: null, limit, offset }
        const parent = { scope, bot }
        return { rows: await together(context, 'bot.pages', parent, asked, pagesOfCrawlers) }
      },
    }),
  ),
}))

const crawlArgs = { ...windowArgs, ...hitArgs }

builder.objectField('Project', 'crawler', (t) =>
  t.field({
    type: trafficBot,
    nullable: true,
    view: 'graph',
    access: readOfProject,
    description: 'One AI crawler by its name; null when it read no page in the window.',
    args: {
      ...builder.args((arg) => ({
        name: arg.string({
          required: true,
          description: 'Name of the crawler, such as `GPTBot`, in any case.',
        }),
      })),
      ...graphArgs(crawlArgs),
    } as Record<never, never>,
    resolve: (scope, given) =>
      withInputNames(async () => {
        const asked = crawlsOf(scope, flatArgs(crawlArgs, given) as CrawlerArgs)
        const [found] = await batched('traffic.bots', scope, asked, botsOfMany)
        return found
      }),
  }),
)

const window = windowOf(yearWindow)
const mostCrawlers = { limit: 1000, offset: 0 }

builder.objectFields(platformType, (t) => ({
  crawlers: t.field({
    type: [trafficBot],
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description:
      'Crawlers that serve the AI platform, with their hits on the site, most hits first.',
    args: graphArgs(crawlArgs) as Record<never, never>,
    resolve: ({ id, projectId }, given, context) =>
      withInputNames(async () => {
        const scope = await scopeOf(context, projectId)
        const asked = { ...resolveCrawls(scope, flatArgs(crawlArgs, given)), ...mostCrawlers }
        const bots = await batched('traffic.bots', scope, asked, botsOfMany)
        return bots.filter(({ platformId }) => platformId === id)
      }),
  }),
  referrals: t.field({
    type: platformSessions,
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: 'Sessions that the AI platform sent; null without web analytics.',
    args: window.args,
    resolve: ({ id, projectId }, given, context) =>
      withInputNames(async () => {
        const scope = await scopeOf(context, projectId)
        if (!scope.project.connections.includes('webAnalytics')) return null
        const range = resolveWindow(window.flat(given), yearWindow, scope.now)
        const asked = { ...range, hosts: null }
        const { byPlatform } = await batched('traffic.referrals', scope, asked, referralsOfMany)
        const found = byPlatform.find(({ platform }) => platform === id)
        return found ?? { projectId, platform: id, sessions: 0 }
      }),
  }),
}))
