import type { Command } from 'commander'
import { CliError } from '../../errors.ts'
import { example } from '../../options.ts'
import { rateSince, showProgress } from '../../progress.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import { withStores } from '../../stores.ts'
import { columns, count } from '../../text.ts'

export function addRecount(program: Command): void {
  program
    .command('recount')
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .option('--preview', 'show which numbers would move, and change nothing')
    .description('recount mentions, sentiment and cited pages in the stored answers of a project')
    .addHelpText(
      'after',
      example(
        'recount --project 8c1e…',
        'Run it after the brand, its aliases or its competitors change.\n' +
          'Reports switch to the new numbers atomically. A run that is interrupted changes nothing.',
      ),
    )
    .action(
      perform<{ project: string; preview?: true }>(async (context, options) => {
        if (options.preview) return preview(context, options.project)
        const { reanalyze } = await import('../../../imports/answers/reanalyze.ts')
        const format = '{bar} {percentage}% {value} of {total} answers, {rate}/s'
        const progress = context.asJson ? undefined : showProgress(format, 1, {})
        const started = performance.now()
        const result = await interruptible(
          (signal) =>
            withStores(context, (stores) =>
              reanalyze(stores, {
                projectId: options.project,
                signal,
                onProgress: ({ answers, total }) =>
                  progress?.update(answers, { rate: rateSince(started, answers) }, total),
              }),
            ),
          interrupted,
        ).finally(() => progress?.end())
        const { answers, mentions } = result
        const text = `Counted ${count(answers)} answers, which name brands ${count(mentions)} times, each brand once an answer.`
        return { json: result, text }
      }),
    )
}

const arrow = ' → '

/** The number now and after the reanalysis, or once where it stays. */
const moved = (before: number, after: number) =>
  before === after ? count(before) : [before, after].map(count).join(arrow)

async function preview(context: Context, id: string): Promise<CommandResult> {
  const { previewReanalysis } = await import('../../../imports/answers/preview.ts')
  const found = await withStores(context, async (stores) => {
    const project = await readProject(stores.db, id.toLowerCase())
    return previewReanalysis(stores, { projectId: project.id })
  })
  const { answers, brands, cited } = found
  const rows = brands.map(({ brand, before, after }) => [
    brand,
    `${moved(before.answers, after.answers)} answers`,
    `${moved(before.mentions, after.mentions)} mentions`,
  ])
  const pages = (['citations', 'urls', 'domains'] as const).map((each) => [
    each === 'urls' ? 'pages' : each,
    moved(cited.before[each], cited.after[each]),
  ])
  const table = `${columns(rows, '')}\n\nThey cite:\n${columns(pages, '')}`
  const isMoved = table.includes(arrow)
  const text = `${count(answers)} answers name:\n${table}\n\n${isMoved ? 'Nothing is changed yet.' : 'No number would move.'}`
  return { json: found, text }
}

function interrupted(): CliError {
  const message = 'Stopped. Reports keep the old numbers. Run the command again to start over.'
  return new CliError('interrupted', message, { exitCode: INTERRUPTED })
}
