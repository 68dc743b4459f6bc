import type { Command } from 'commander'
import { check } from '../../../core/check.ts'
import { Fault, notFound } from '../../../core/errors.ts'
import { reportBody } from '../../../core/reports/input.ts'
import { baseUrlOf } from '../../../core/settings.ts'
import type { Report } from '../../../resolvers/reports/reports.ts'
import type { Actor } from '../../../resolvers/shared/audit-trail.ts'
import type { ProjectScope } from '../../../resolvers/shared/scope.ts'
import { runningUrl } from '../../links.ts'
import { example, projectCommand } from '../../options.ts'
import { showProgress } from '../../progress.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { type Stores, withStores } from '../../stores.ts'
import { columns } from '../../text.ts'

interface OfProject {
  readonly project: string
}

interface NewReport extends OfProject {
  readonly type: string
  readonly title?: string
  readonly days?: string
  readonly from?: string
  readonly to?: string
  readonly share?: true
}

interface Sharing extends OfProject {
  readonly texts: boolean
}

/** Adds what creates reports and shares them by links. */
export function addSharedReports(reports: Command): void {
  projectCommand(reports, 'list')
    .description('list reports, newest first')
    .addHelpText('after', example('report list --project 8c1e…'))
    .action(perform(list))
  projectCommand(reports, 'create')
    .description('create a report from the current data')
    .option('--type <type>', 'choose visibility, sentiment or combined', 'combined')
    .option('--title <title>', 'set the title; default: subject, brand and date range')
    .option('--days <number>', 'cover this many days up to today; default 30, at most 365')
    .option('--from <day>', 'cover the days from this one, such as 2026-05-01')
    .option('--to <day>', 'cover the days up to this one')
    .option('--share', 'open a link to the report')
    .addHelpText('after', example('report create --project 8c1e… --type visibility --share'))
    .action(perform(create))
  projectCommand(reports, 'share')
    .argument('<report-id>', 'the report')
    .description('open a link to a report for everyone who has the link')
    .option('--no-texts', 'leave the texts of the answers out of its proof: their hashes stay')
    .addHelpText('after', example('report share --project 8c1e… 41d7…'))
    .action(
      perform<Sharing, [string]>((context, options, id) =>
        setShared(context, options, (scope, actor, { shareReport }) =>
          shareReport(scope, actor, id, options.texts ? {} : { proofTexts: false }),
        ),
      ),
    )
  projectCommand(reports, 'revoke')
    .argument('<report-id>', 'the report')
    .description('close the link of a report for good')
    .addHelpText('after', example('report revoke --project 8c1e… 41d7…'))
    .action(
      perform<OfProject, [string]>((context, options, id) =>
        setShared(
          context,
          options,
          (scope, actor, { revokeReportShare }) => revokeReportShare(scope, actor, id),
          `Closed the link of report ${id}`,
        ),
      ),
    )
}

/** Works on the reports of a project, with what prints one. */
function withReports<T>(
  context: Context,
  { project: id }: OfProject,
  work: (
    scope: ProjectScope,
    describe: (report: Report) => Described,
    stores: Stores,
  ) => Promise<T>,
): Promise<T> {
  return withStores(context, async (stores) => {
    const [{ jobScope }, { linkOf }, { windowOf }] = await Promise.all([
      import('../../../resolvers/shared/job-scope.ts'),
      import('../../../resolvers/reports/share.ts'),
      import('../../../resolvers/reports/reports.ts'),
    ])
    const { db, warehouse, secrets } = stores
    const scope = await jobScope({ db, warehouse }, id, new Date())
    if (!scope) throw notFound()
    const { project } = scope
    const { signingSecrets } = secrets
    const links = {
      baseUrl: (await runningUrl(context, secrets)) ?? baseUrlOf(context.settings),
      signingSecrets,
    }
    const describe = (report: Report): Described => ({
      id: report.id,
      reportType: report.reportType,
      title: report.title,
      status: report.status,
      shareUrl: linkOf(report, project, links),
      dateRange: windowOf(report),
      createdAt: report.createdAt.toISOString(),
      completedAt: report.completedAt?.toISOString() ?? null,
    })
    return work(scope, describe, stores)
  })
}

interface Described {
  readonly id: string
  readonly reportType: string
  readonly title: string
  readonly status: string
  readonly shareUrl: string | null
  readonly dateRange: { readonly from: string; readonly to: string }
  readonly createdAt: string
  readonly completedAt: string | null
}

function list(context: Context, options: OfProject): Promise<CommandResult> {
  return withReports(context, options, async (scope, describe) => {
    const { reports: read } = await import('../../../resolvers/reports/reports.ts')
    const found = await read(scope, { limit: 1000, offset: 0 })
    const reports = found.reports.map(describe)
    const rows = reports.map(({ id, createdAt, status, title, shareUrl }) => [
      id,
      createdAt.slice(0, 10),
      status,
      title,
      shareUrl ?? '',
    ])
    return { json: { reports }, text: columns(rows, 'No reports.') }
  })
}

function create(context: Context, options: NewReport): Promise<CommandResult> {
  const { type, title, days, from, to, share = false } = options
  const given = { title, from, to, days: days === undefined ? undefined : Number(days) }
  const input = check(reportBody, { reportType: type, share, ...given })
  const progress = context.asJson
    ? undefined
    : showProgress('{bar} {value} of {total} parts', 1, {})
  return withReports(context, options, async (scope, describe, { db, warehouse }) => {
    const [{ createReport }, { report: find }, { makeReport }, { commandLine }] = await Promise.all(
      [
        import('../../../resolvers/reports/create.ts'),
        import('../../../resolvers/reports/reports.ts'),
        import('../../../worker/report.ts'),
        import('../../../resolvers/shared/audit-trail.ts'),
      ],
    )
    const { id } = await createReport(scope, commandLine, input)
    // A worker finds the report made: nobody has to wait for its turn.
    const onPart = (done: number, total: number) => progress?.update(done, {}, total)
    await makeReport({ db, warehouse, onPart }, id)
    const report = describe(await find(scope, id))
    if (report.status !== 'completed') throw new Fault('internal_error', 'The report failed.')
    const link = report.shareUrl ? `\n${report.shareUrl}` : ''
    return { json: { report }, text: `Created report ${id}: ${report.title}${link}` }
  }).finally(() => progress?.end())
}

type Shares = typeof import('../../../resolvers/reports/share.ts')

function setShared(
  context: Context,
  options: OfProject,
  change: (scope: ProjectScope, actor: Actor, shares: Shares) => Promise<Report>,
  done?: string,
): Promise<CommandResult> {
  return withReports(context, options, async (scope, describe) => {
    const [shares, { commandLine }] = await Promise.all([
      import('../../../resolvers/reports/share.ts'),
      import('../../../resolvers/shared/audit-trail.ts'),
    ])
    const report = describe(await change(scope, commandLine, shares))
    const text = done ?? report.shareUrl ?? 'The link opens when the report is completed.'
    return { json: { report }, text }
  })
}
