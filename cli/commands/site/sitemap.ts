import type { Command } from 'commander'
import { Fault } from '../../../core/errors.ts'
import { CliError } from '../../errors.ts'
import { example, projectCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import { type Stores, withStores } from '../../stores.ts'
import { count } from '../../text.ts'

export function addSitemap(site: Command): void {
  projectCommand(site, 'sitemap')
    .description('read the sitemap of the site, and track its pages')
    .addHelpText(
      'after',
      example(
        'site sitemap --project 8c1e…',
        'The worker reads the sitemap that robots.txt names, or that lies at the usual places.\n' +
          'Without a worker, the command reads it. A sitemap that cannot be read completely changes nothing.\n' +
          'To import a sitemap from a file, use `sightline import pages`.',
      ),
    )
    .action(
      perform<{ project: string }>((context, { project }) =>
        interruptible(
          (signal) =>
            withStores(context, (stores) =>
              refresh(context, stores, project.toLowerCase(), signal),
            ),
          interrupted,
        ),
      ),
    )
}

async function refresh(
  context: Context,
  stores: Stores,
  projectId: string,
  signal: AbortSignal,
): Promise<CommandResult> {
  const [{ refreshSitemap }, { commandLine }, { awaitJob }] = await Promise.all([
    import('../../../resolvers/sitemap/refresh.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
    import('../../await-job.ts'),
  ])
  const { db } = stores
  const where = { id: projectId }
  const privateHosts = context.settings.ALLOW_PRIVATE_HOSTS
  await refreshSitemap({ db, privateHosts }, commandLine, projectId).catch((error) => {
    // The command waits for a refresh that is under way already.
    if (!(error instanceof Fault && error.code === 'rate_limited')) throw error
  })
  const { sitemapJobId: id } = await db.project.findUniqueOrThrow({ where })
  const showReading = context.asJson ? () => undefined : once(() => process.stderr.write(reading))
  await awaitJob(context, stores, {
    queue: 'sitemap',
    signal,
    look: async () => {
      const { sitemapStatus, sitemapJobId } = await db.project.findUniqueOrThrow({ where })
      if (sitemapJobId !== id) return 'over'
      if (sitemapStatus === 'queued') return 'waiting'
      if (sitemapStatus !== 'running') return 'over'
      showReading()
      return 'running'
    },
  })
  const { sitemapStatus: status, sitemapError } = await db.project.findUniqueOrThrow({ where })
  if (status === 'failed') throw new CliError('sitemap_failed', `${sitemapError}`)
  const urls = await db.sitemapUrl.count({ where: { projectId } })
  const leftOut = sitemapError ? `\nLeft out: ${sitemapError}.` : ''
  const text = `${count(urls)} URLs in the sitemap.${leftOut}`
  return { json: { id, status, urls, error: sitemapError }, text }
}

const reading = 'The worker reads the sitemap …\n'

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

function interrupted(): CliError {
  const message = 'Stopped waiting. The refresh stays in the queue of the worker.'
  return new CliError('interrupted', message, { exitCode: INTERRUPTED })
}
