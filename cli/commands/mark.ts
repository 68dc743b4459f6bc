import type { Command } from 'commander'
import { notFound } from '../../core/errors.ts'
import { type MarkKind, type MarkMetric, markKinds, markMetrics } from '../../core/marks/marks.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { projectChange } from '../change.ts'
import { CliError } from '../errors.ts'
import { commandGroup, example, projectCommand } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withStores } from '../stores.ts'
import { columns } from '../text.ts'

interface OfProject {
  readonly project: string
}

interface Added extends OfProject {
  readonly kind: string
  readonly date: string
  readonly prompts?: string
  readonly topics?: string
  readonly url?: string
}

export function addMarkCommands(program: Command): void {
  const group = commandGroup(
    program,
    'mark',
    'record what was done for the brand, and see whether it worked',
    'mark list --project 8c1e…',
  )
  projectCommand(group, 'list')
    .description('list what was done, newest first, each with whether it worked')
    .option('--metric <name>', `compare ${Object.keys(markMetrics).join(' or ')}`, 'visibility')
    .addHelpText('after', example('mark list --project Sony --metric citations'))
    .action(perform(list))
  projectCommand(group, 'add')
    .argument('<title>', 'what was done')
    .description('record what was done on a day')
    .option('--kind <kind>', `what it was: ${Object.keys(markKinds).join(', ')}`, 'other')
    .requiredOption('--date <day>', 'the day, such as 2026-05-01')
    .option('--prompts <ids>', 'ids of the prompts that it concerns, separated by commas')
    .option('--topics <names>', 'topics whose prompts it concerns, by name or id')
    .option(
      '--url <address>',
      'the page or source; by default it concerns the prompts whose answers cited it',
    )
    .addHelpText(
      'after',
      example(
        'mark add --project Sony --kind page_published --date 2026-05-01 --topics Travel "Travel guide"',
      ),
    )
    .action(perform<Added, [string]>(add))
  projectCommand(group, 'remove')
    .argument('<mark-id>', 'the mark')
    .description('remove a mark; the answers stay')
    .addHelpText('after', example('mark remove --project 8c1e… 5b07…'))
    .action(
      projectChange<object, [string]>('Removed mark', async ({ db, actor, projectId }, _, id) => {
        const { removeMark } = await import('../../resolvers/marks/marks.ts')
        const { mark, changed } = await removeMark(db, actor, projectId, id)
        return { subjectId: mark.id, changed, needsReanalysis: false }
      }),
    )
}

/** A list longer than this is for GraphQL. */
const most = 100

function inProject<Result>(
  context: Context,
  id: string,
  work: (scope: ProjectScope) => Promise<Result>,
): Promise<Result> {
  return withStores(context, async ({ db, warehouse }) => {
    const { jobScope } = await import('../../resolvers/shared/job-scope.ts')
    const scope = await jobScope({ db, warehouse }, id, new Date())
    if (!scope) throw notFound()
    return work(scope)
  })
}

async function list(
  context: Context,
  { project, metric: given }: OfProject & { readonly metric: string },
): Promise<CommandResult> {
  const metric = Object.keys(markMetrics).find((name) => name === given) as MarkMetric | undefined
  if (metric === undefined) {
    const names = Object.keys(markMetrics).join(' or ')
    throw new CliError('usage', `--metric must be ${names}; got ${given}.`, { exitCode: 2 })
  }
  const [{ listMarks }, { comparisonsOf }, { comparisonText }] = await Promise.all([
    import('../../resolvers/marks/marks.ts'),
    import('../../resolvers/marks/comparison.ts'),
    import('../../core/marks/words.ts'),
  ])
  const marks = await inProject(context, project, async (scope) => {
    const { rows } = await listMarks(scope.db, scope.project.id, { limit: most, offset: 0 })
    const compared = await comparisonsOf(
      rows.map((mark) => ({ scope, mark })),
      { metric },
    )
    return rows.flatMap(({ projectId: _project, day, ...mark }, i) => {
      const comparison = compared[i]
      if (!comparison || comparison instanceof Error) return []
      const text = comparisonText(comparison, metric, comparison.since)
      return [
        { ...mark, date: day.toISOString().slice(0, 10), comparison: { ...comparison, text } },
      ]
    })
  })
  const rows = marks.map(({ id, date, title, comparison }) => [id, date, title, comparison.text])
  return { json: { marks }, text: columns(rows, 'No marks.') }
}

const listed = (names: string | undefined) =>
  names?.split(',').flatMap((name) => name.trim() || []) ?? []

async function add(
  context: Context,
  { project, kind, date, prompts, topics, url }: Added,
  title: string,
): Promise<CommandResult> {
  const [{ addMark }, { commandLine }] = await Promise.all([
    import('../../resolvers/marks/marks.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const { id } = await inProject(context, project, async (scope) => {
    const known = await scope.db.topic.findMany({ where: { projectId: scope.project.id } })
    const topicIds = listed(topics).map(
      (name) => known.find((topic) => topic.id === name || topic.name === name)?.id ?? name,
    )
    const input = { kind: kind as MarkKind, title, date, promptIds: listed(prompts), topicIds, url }
    return (await addMark(scope, commandLine, input)).mark
  })
  return { json: { id, changed: true }, text: `Added mark ${id}` }
}
