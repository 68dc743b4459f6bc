import type { ObjectRef } from '@pothos/core'
import { batched } from '../../resolvers/shared/batch.ts'
import { botsOfMany } from '../../resolvers/traffic/bots.ts'
import { resolveCrawls, type TrafficArgs } from '../../resolvers/traffic/crawls.ts'
import { correlated } from '../correlation.ts'
import { windowArgs } from '../kit/args.ts'
import { scopeOf } from '../kit/authorize.ts'
import { builder, type Types } from '../kit/builder.ts'
import { flatArgs, graphArgs, withInputNames } from '../kit/inputs.ts'
import { crawlDay, crawlsByBot } from '../pages/metrics.ts'
import { trafficBot } from './bots.ts'
import { hitArgs } from './crawlers.ts'
import { trafficLog } from './logs.ts'
import { botVisits } from './traffic.ts'

const crawlArgs = { ...windowArgs, ...hitArgs }
const allCrawlers = { limit: 1000, offset: 0 }

/** A row with the name of a crawler leads to the crawler. All rows of a project take one statement. */
function leadToCrawler<Row extends { readonly projectId: string }>(
  row: ObjectRef<Types, Row>,
  nameOf: (row: Row) => string | null,
  nullText = '',
): void {
  builder.objectField(row, 'crawler', (t) =>
    t.field({
      type: trafficBot,
      nullable: true,
      view: 'graph',
      description: `The crawler with its hits in \`window\`; null without a hit in it.${nullText}`,
      args: graphArgs(crawlArgs) as Record<never, never>,
      resolve: (found, given, context) =>
        withInputNames(async () => {
          const name = nameOf(found)
          if (name === null) return null
          const scope = await scopeOf(context, found.projectId)
          const asked = flatArgs(crawlArgs, given) as TrafficArgs
          const crawls = { ...resolveCrawls(scope, asked), ...allCrawlers }
          const bots = await batched('traffic.bots', scope, crawls, botsOfMany)
          return bots.find(({ botName }) => botName === name)
        }, crawlArgs),
    }),
  )
}

leadToCrawler(botVisits, ({ botName }) => botName)
leadToCrawler(trafficLog, ({ botName }) => botName)
leadToCrawler(crawlDay, ({ botName }) => botName)
leadToCrawler(crawlsByBot, ({ name }) => name)
leadToCrawler(
  correlated,
  ({ groupBy, key }) => (groupBy === 'botName' ? key : null),
  ' Null unless rows are grouped by crawler.',
)
