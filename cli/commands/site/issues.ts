import { type Command, Option } from 'commander'
import { notFound } from '../../../core/errors.ts'
import type { Severity } from '../../../resolvers/issues/issues.ts'
import { example, projectCommand, repeatable } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withStores } from '../../stores.ts'
import { columns, count } from '../../text.ts'
import { describeWorth } from './worth.ts'

const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low']
const states = ['open', 'resolved', 'all'] as const

interface Options {
  readonly project: string
  readonly severity: readonly Severity[]
  readonly status: (typeof states)[number]
}

export function addSiteIssues(site: Command): void {
  projectCommand(site, 'issues')
    .description('list the issues that audits found, the most severe first')
    .addOption(
      new Option('--severity <severity>', 'list only this severity; repeat it for more')
        .argParser(repeatable)
        .default([], 'all'),
    )
    .addOption(new Option('--status <status>', 'list these').choices(states).default('open'))
    .addHelpText(
      'after',
      example(
        'site issues --project 8c1e… --severity critical',
        'The last lines compare pages that pass each check with pages that fail it.\n' +
          'They show the percent that AI crawlers read, and that answers cite, in 30 days.\n' +
          'The difference has its 95 % interval in brackets.',
      ),
    )
    .action(perform<Options>(issues))
}

function issues(context: Context, { project, severity, status }: Options): Promise<CommandResult> {
  return withStores(context, async ({ db, warehouse }) => {
    const [{ issues: list }, site, { jobScope }, { check }, { z }] = await Promise.all([
      import('../../../resolvers/issues/issues.ts'),
      import('../../../resolvers/audits/checks.ts'),
      import('../../../resolvers/shared/job-scope.ts'),
      import('../../../core/check.ts'),
      import('zod'),
    ])
    const input = z.object({ severity: z.array(z.enum(severities)) })
    const chosen = check(input, { severity }).severity
    const scope = await jobScope({ db, warehouse }, project, new Date())
    if (!scope) throw notFound()
    const found = await list(scope, {
      severity: chosen.length > 0 ? chosen : null,
      status,
      limit: 5000,
      offset: 0,
    })
    const rows = found.issues.map((issue) => [issue.severity, issue.type, issue.url])
    const { total } = found.summary
    const more = total > rows.length ? [`… and ${count(total - rows.length)} more`] : []
    const sites = await site.siteChecksOfMany([scope])
    const [worth] = await site.worthOfMany(sites, {})
    const listed = new Set(found.issues.map(({ type }) => type))
    const checks = sites.flatMap((each) => each.checks.filter(({ id }) => listed.has(id)))
    const compared = worth ? describeWorth(checks, worth) : { json: [], text: [] }
    return {
      json: { summary: found.summary, issues: found.issues.map(shown), checks: compared.json },
      text: [columns(rows, 'No issues.'), ...more, ...compared.text].join('\n'),
    }
  })
}

interface Shown {
  readonly id: string
  readonly url: string
  readonly type: string
  readonly severity: Severity
  readonly status: string
  readonly title: string
  readonly description: string
  readonly howToFix: string
}

function shown({ id, url, type, severity, status, title, description, howToFix }: Shown): Shown {
  return { id, url, type, severity, status, title, description, howToFix }
}
