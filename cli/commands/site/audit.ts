import { type Command, InvalidArgumentError } from 'commander'
import { notFound } from '../../../core/errors.ts'
import { counted } from '../../../core/text/counted.ts'
import { CliError } from '../../errors.ts'
import { example, projectCommand } from '../../options.ts'
import { showProgress } from '../../progress.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import { type Stores, withStores } from '../../stores.ts'
import { columns } from '../../text.ts'

interface Options {
  readonly project: string
  readonly maxPages?: number
  readonly externalLinks: boolean
}

export function addSiteAudit(site: Command): void {
  projectCommand(site, 'audit')
    .description('audit the tracked pages of the site, and show scores')
    .option('--max-pages <number>', 'audit only the pages that AI cites and reads most', pages)
    .option(
      '--external-links',
      'also request the links to other sites, and list those that fail',
      false,
    )
    .addHelpText(
      'after',
      example(
        'site audit --project 8c1e… --max-pages 25 --external-links',
        'The worker requests each page once, by the rules of robots.txt, and judges it by the checks of docs/audits.md.\n' +
          'Without a worker, the command does the audit. The issues stay: `sightline site issues` lists them.',
      ),
    )
    .action(
      perform<Options>((context, options) =>
        interruptible(
          (signal) => withStores(context, (stores) => audit(context, stores, options, signal)),
          interrupted,
        ),
      ),
    )
}

function pages(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(value)
}

async function audit(
  context: Context,
  stores: Stores,
  { project, maxPages, externalLinks }: Options,
  signal: AbortSignal,
): Promise<CommandResult> {
  const [{ createAudit }, reads, { commandLine }, { jobScope }, { awaitJob }] = await Promise.all([
    import('../../../resolvers/audits/create.ts'),
    import('../../../resolvers/audits/audits.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
    import('../../../resolvers/shared/job-scope.ts'),
    import('../../await-job.ts'),
  ])
  const scope = await jobScope(stores, project, new Date())
  if (!scope) throw notFound()
  const privateHosts = context.settings.ALLOW_PRIVATE_HOSTS
  const { id, pageCount } = await createAudit(
    scope,
    commandLine,
    { maxPages, externalLinks },
    privateHosts,
  )
  const bar = context.asJson
    ? undefined
    : showProgress('{bar} {value} of {total} pages', pageCount, {})
  const look = async () => {
    const found = await reads.audit(scope, id)
    const [progress] = await reads.progressOf(stores.db, [found])
    bar?.update(progress?.done ?? 0, {})
    if (found.status === 'queued') return 'waiting'
    return found.status === 'running' ? 'running' : 'over'
  }
  await awaitJob(context, stores, { queue: 'audit', signal, look }).finally(() => bar?.end())
  const { status, scores, issueCount, error } = await reads.audit(scope, id)
  if (status !== 'completed') throw new CliError('audit_failed', `The audit ended: ${error}.`)
  const rows = scores ? titles.map(([key, title]) => [title, `${scores[key]}`]) : []
  const found = `Audited ${counted(pageCount, 'page')}, with ${counted(issueCount, 'issue')}.`
  const links = externalLinks ? await linksOf(stores, id) : null
  const text = [
    found,
    columns(rows, 'No page could be judged.'),
    ...(error ? [partly] : []),
    ...(links?.text ?? []),
  ]
  return {
    json: { id, status, pageCount, issueCount, scores, error, ...links?.json },
    text: text.join('\n'),
  }
}

/** The links to other sites that fail, each with the pages that have it. */
async function linksOf({ db }: Stores, auditId: string) {
  const { externalLinksOf, externalLinkCountsOf } = await import(
    '../../../resolvers/audits/external-links.ts'
  )
  const states = ['broken', 'refused', 'not_checked'] as const
  const [[counts = []], [found]] = await Promise.all([
    externalLinkCountsOf(db, [auditId]),
    externalLinksOf(db, [auditId], { states, limit: 5000, offset: 0 }),
  ])
  const failing = found?.rows ?? []
  const total = counts.reduce((sum, { count: links }) => sum + links, 0)
  const byState = counts.map(({ key, count: links }) => `${links} ${key.replace('_', ' ')}`)
  const rows = failing
    .filter(({ state }) => state !== 'not_checked')
    .map(({ state, httpStatus, reason, address, pages, pageCount }) => [
      state,
      `${httpStatus ?? reason ?? ''}`,
      address,
      `on ${pages[0]}${pageCount > 1 ? ` and ${pageCount - 1} more` : ''}`,
    ])
  return {
    json: {
      externalLinkCounts: Object.fromEntries(counts.map(({ key, count: links }) => [key, links])),
      externalLinks: failing.map(({ auditId: _, total: __, pages, ...link }) => {
        return { ...link, pageUrls: pages }
      }),
    },
    text: [
      '',
      `${counted(total, 'link')} to other sites${total > 0 ? `: ${byState.join(', ')}` : ''}.`,
      ...(rows.length > 0 ? [columns(rows, '')] : []),
    ],
  }
}

const partly = 'The time for the audit ended before all pages were read.'

const titles = [
  ['overall', 'Overall'],
  ['technical', 'Technical'],
  ['content', 'Content'],
  ['aiReadiness', 'AI readiness'],
] as const

function interrupted(): CliError {
  const message = 'Stopped waiting. The audit stays in the queue of the worker.'
  return new CliError('interrupted', message, { exitCode: INTERRUPTED })
}
