import { botCategories } from '../../core/bots/bots.ts'
import type { HitProof } from '../../core/bots/crawler-ranges.ts'
import { type BotVisits, groupings } from '../../resolvers/traffic/traffic.ts'
import { inGraph } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { filterInput } from '../kit/inputs.ts'
import type { FieldsOf } from '../kit/report-fields.ts'

/** Types, fields and arguments that the reports on crawler hits share. */

const categoryMeanings = {
  ai_training: 'Collects pages for the training of models.',
  ai_search: 'Maintains the search index of an AI assistant.',
  ai_assistant: 'Fetches a page at the request of a user.',
  ai_agent: 'Acts on pages for a user.',
  search_engine: 'Maintains the index of a web search engine.',
}

export const botCategory = builder.enumType('BotCategory', {
  description: 'Purpose for which a crawler reads pages.',
  values: Object.fromEntries(
    botCategories.map((name) => [name, { description: categoryMeanings[name] }]),
  ) as Record<keyof typeof categoryMeanings, { description: string }>,
})

export const trafficGrouping = builder.enumType('TrafficGrouping', {
  description: 'Key by which crawler hits are counted.',
  values: {
    platform: { description: 'By the AI platform that the crawler serves.' },
    botCategory: { description: 'By the purpose of the crawler.' },
    botName: { description: 'By crawler.' },
  },
})

const ofHosts = 'Only these hosts, such as `www.example.com`, in any case.'
const ofVerifications =
  'Only these hits. Default `verified`, `claimed` and `signed`: impostors do not count.'

const args = builder.args((t) => ({
  host: t.stringList({
    description: ofHosts,
    extensions: { param: { list: true } },
  }),
  // REST alone: a GraphQL client selects the grouping as a field.
  groupBy: t.field({
    type: trafficGrouping,
    defaultValue: null,
    description: `Key by which crawler hits are counted: ${groupings.join(', ')}.`,
    extensions: { view: 'rest', param: { values: groupings } },
  }),
}))

export const { host: hostArg } = inGraph({ host: args.host }, { filter: 'hosts' })

export const verification = builder.enumType('Verification', {
  description:
    "What the address of a hit, or its signature, proves; anybody can send a crawler's user agent.",
  values: {
    verified: { description: 'From the address ranges that the vendor of the crawler publishes.' },
    claimed: {
      description: 'Not checkable: the vendor publishes no ranges, or no public address is known.',
    },
    impostor: { description: 'From outside the published ranges: not the crawler that it names.' },
    signed: {
      description:
        'Signed with a key that the agent publishes (Web Bot Auth), from whatever address.',
    },
  } satisfies Record<HitProof, object>,
})

/** Which hits a report counts: hosts, and in GraphQL what the addresses prove. */
const hostAndProofArgs = {
  host: hostArg,
  ...inGraph(
    builder.args((t) => ({
      verifications: t.field({
        type: [verification],
        description: ofVerifications,
        extensions: { view: 'graph' },
      }),
    })),
    { filter: 'verifications' },
  ),
}

const ofCategories =
  'Only hits for these purposes. `search_engine` is the only purpose that is not AI.'

/** The same, and in GraphQL the purposes of the crawlers. */
export const hitArgs = {
  ...hostAndProofArgs,
  ...inGraph(
    builder.args((t) => ({
      botCategories: t.field({
        type: [botCategory],
        description: ofCategories,
        extensions: { view: 'graph' },
      }),
    })),
    { filter: 'botCategories' },
  ),
}

const ofBot = {
  botName: 'Only hits of the crawler with this name, in any case.',
  path: 'Only hits of this path, without a query string, with and without a trailing slash.',
}
const bot = builder.args((t) => ({
  botName: t.string({ description: ofBot.botName }),
  botCategory: t.field({
    type: botCategory,
    description: `Only hits for this purpose: ${botCategories.join(', ')}.`,
    extensions: { param: { values: botCategories } },
  }),
  path: t.string({ description: ofBot.path }),
}))

/** Which single hits to list. */
export const logArgs = {
  ...hostAndProofArgs,
  ...inGraph({ botName: bot.botName }, { filter: 'botName' }),
  ...inGraph({ botCategory: bot.botCategory }, { filter: 'botCategories' }),
  ...inGraph({ path: bot.path }, { filter: 'path' }),
}

type FieldOfFilter = Parameters<typeof filterInput>[1]['own']

const hostFilter = {
  hosts: (t) => t.stringList({ description: ofHosts }),
} satisfies FieldOfFilter

/** The fields of `filter` for `hitArgs`; the list of single hits has more. */
const hitFilter = {
  ...hostFilter,
  verifications: (t) => t.field({ type: [verification], description: ofVerifications }),
  botCategories: (t) => t.field({ type: [botCategory], description: ofCategories }),
} satisfies FieldOfFilter

filterInput('HostFilter', { rows: 'Sessions', own: hostFilter })
filterInput('CrawlerFilter', { rows: 'Crawler hits', own: hitFilter })
filterInput('CrawlerHitFilter', {
  rows: 'Crawler hits',
  own: {
    ...hitFilter,
    botName: (t) => t.string({ description: ofBot.botName }),
    path: (t) => t.string({ description: ofBot.path }),
  },
})

/** In REST null when absent; in GraphQL, which has no such argument, undefined. */
export const groupByArg = args.groupBy

export const hitsMeaning = 'Hits of known crawlers, without impostors.'

export const meaningOfBot = {
  platform: 'Id of the AI platform that the crawler serves.',
  botId: 'The crawler in the crawler registry.',
  botName: 'Name of the crawler.',
  botVendor: 'Vendor of the crawler.',
  botCategory: 'Purpose for which the crawler reads pages.',
  paths: 'Distinct paths that the crawler requested. A trailing slash makes no other path.',
  firstSeen: 'Time of the first hit in the window.',
  lastSeen: 'Time of the last hit in the window.',
}

/** A crawler as the registry last named it. */
export const botFields = <Shape extends Omit<BotVisits, 'visits' | 'previous'>>(
  t: FieldsOf<Shape>,
) => ({
  botId: t.field({
    type: 'Int',
    description: meaningOfBot.botId,
    resolve: (bot) => bot.botId,
  }),
  botName: t.string({ description: meaningOfBot.botName, resolve: (bot) => bot.botName }),
  botVendor: t.string({ description: meaningOfBot.botVendor, resolve: (bot) => bot.botVendor }),
  botCategory: t.field({
    type: botCategory,
    description: meaningOfBot.botCategory,
    resolve: (bot) => bot.botCategory,
  }),
})
