import { proofsOfHits } from '../../core/bots/crawler-ranges.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { normaliseUrl } from '../../core/sites/urls.ts'
import { run } from '../../warehouse/run.ts'
import { type ProjectScope, scopesOf } from '../shared/scope.ts'
import type { TrafficBot } from './bots.ts'
import { type CrawlSelection, resolveCrawls, type TrafficArgs, whereCrawls } from './crawls.ts'
import { pagesOfBots, verificationOfBots } from './edges.sql.ts'

/** A crawler of a project, with the crawls that a list of crawlers counted. */
export interface BotOfProject {
  readonly scope: ProjectScope
  readonly bot: TrafficBot
}

export interface CrawledPage {
  readonly projectId: string
  readonly host: string
  readonly path: string
  readonly visits: number
  readonly lastMs: number
}

/** The normalised URL of a crawled page; null without a host. */
export const urlOfCrawl = ({ host, path }: Pick<CrawledPage, 'host' | 'path'>) =>
  normaliseUrl(`https://${host}${path}`)

/** A page of the pages that each crawler reads most; ties by host and path. One statement reads all crawlers. */
export async function pagesOfCrawlers(
  bots: readonly BotOfProject[],
  { limit, offset, ...selection }: CrawlSelection & PageArgs,
): Promise<CrawledPage[][]> {
  const [first] = bots
  if (first === undefined) return []
  const scopes = scopesOf(bots)
  const { where, params } = whereCrawls(scopes, selection)
  type Row = Omit<CrawledPage, 'path'> & { readonly botId: number; readonly page: string }
  const found = await run<Row>(first.scope.warehouse, {
    id: 'traffic.pages-of-bots',
    sql: pagesOfBots(where),
    params: { ...params, bots: [...new Set(bots.map(({ bot }) => bot.botId))], limit, offset },
  })
  const rows = found.map(({ page, ...row }) => ({ ...row, path: page }))
  const byBot = Map.groupBy(rows, ({ projectId, botId }) => `${projectId} ${botId}`)
  return bots.map(({ scope, bot }) => byBot.get(`${scope.project.id} ${bot.botId}`) ?? [])
}

/** Hits of a crawler by what their addresses prove. */
export interface CrawlerVerification {
  readonly verified: number
  readonly claimed: number
  readonly impostor: number
  readonly signed: number
}

/** Whether the hits of each crawler come from the addresses of its vendor. One statement reads all crawlers. */
export async function verificationOf(
  bots: readonly BotOfProject[],
  selection: CrawlSelection,
): Promise<CrawlerVerification[]> {
  const [first] = bots
  if (first === undefined) return []
  const scopes = scopesOf(bots)
  const { where, params } = whereCrawls(scopes, { ...selection, verification: proofsOfHits })
  type Row = CrawlerVerification & { readonly projectId: string; readonly botId: number }
  const rows = await run<Row>(first.scope.warehouse, {
    id: 'traffic.verification',
    sql: verificationOfBots(where),
    params: { ...params, bots: [...new Set(bots.map(({ bot }) => bot.botId))] },
  })
  const found = new Map(rows.map((row) => [`${row.projectId} ${row.botId}`, row]))
  const none = { verified: 0, claimed: 0, impostor: 0, signed: 0 }
  return bots.map(({ scope, bot }) => found.get(`${scope.project.id} ${bot.botId}`) ?? none)
}

export type CrawlerArgs = TrafficArgs & { readonly name: string }

/**
 * The crawls of one crawler by its name, in any case.
 * @throws {Fault} as `resolveCrawls` does
 */
export function crawlsOf(scope: ProjectScope, { name, ...args }: CrawlerArgs) {
  return { ...resolveCrawls(scope, args), botName: name, limit: 1, offset: 0 }
}
