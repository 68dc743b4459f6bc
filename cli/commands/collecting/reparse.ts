import type { Command } from 'commander'
import type { ReplayResult } from '../../../imports/collecting/tally.ts'
import { CliError } from '../../errors.ts'
import { readDay } from '../../input/day.ts'
import { example, projectCommand } from '../../options.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import { withStores } from '../../stores.ts'
import { columns, count } from '../../text.ts'
import { readProvider } from './provider-key.ts'

export function addReparse(program: Command): void {
  projectCommand(program, 'reparse')
    .description('read stored replies of AI platforms again, and import what reads differently')
    .option('--provider <provider>', 'only replies of this provider; default: all')
    .option('--from <day>', 'only questions asked from this UTC day on, such as 2026-11-01')
    .option('--to <day>', 'only questions asked until this UTC day, inclusive')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText(
      'after',
      example(
        'reparse --project Acme --dry-run',
        'Use it after an upgrade that reads replies of a provider better.\n' +
          'Reports switch to the new answers at once. Nothing is asked, and costs stay.\n' +
          'The changes are one import: `import undo` brings the former answers back.',
      ),
    )
    .action(perform(replayBodies))
}

interface Options {
  readonly project: string
  readonly provider?: string
  readonly from?: string
  readonly to?: string
  readonly dryRun?: true
}

async function replayBodies(context: Context, options: Options): Promise<CommandResult> {
  const selection = {
    provider: options.provider === undefined ? undefined : readProvider(options.provider),
    from: readDay('from', options.from),
    to: readDay('to', options.to),
  }
  const { previewReplay, replay } = await import('../../../imports/collecting/replay.ts')
  const found = await interruptible(
    (signal) =>
      withStores(context, async (stores) => {
        const { id: projectId } = await readProject(stores.db, options.project)
        return options.dryRun
          ? previewReplay(stores, { projectId, ...selection })
          : replay(stores, { projectId, ...selection, signal })
      }),
    interrupted,
  )
  return { json: found, text: textOf(found, options) }
}

const counted = (kind: string, questions: number) =>
  questions === 0 ? [] : [`${kind} ${count(questions)}`]

function textOf(found: ReplayResult, { project, dryRun }: Options): string {
  const { bodies, changed, unreadable, importId } = found
  const read = `${count(bodies)} replies read, ${count(changed)} of them differently.`
  const left =
    unreadable === 0 ? [] : [`${count(unreadable)} cannot be read. Their answers stay as they are.`]
  if (changed === 0) return [read, ...left, 'Nothing to change.'].join('\n')
  const providers = found.providers.map(({ provider, questions, ...kinds }) => [
    provider,
    `${count(questions)} changed`,
    Object.entries(kinds)
      .flatMap(([kind, number]) => counted(kind, number))
      .join(', '),
  ])
  const examples = found.examples.map(({ provider, answerId, kinds, prompt }) => [
    answerId ?? 'no answer',
    provider,
    kinds.join(', '),
    prompt.length > 60 ? `${prompt.slice(0, 59)}…` : prompt,
  ])
  const end = dryRun
    ? 'Nothing is changed yet.'
    : `Reports show the new answers. To take them back:\n  npx sightline import undo ${importId} --project ${project}`
  return [
    read,
    ...left,
    '',
    columns(providers, ''),
    '',
    'For example, by the id of the answer:',
    columns(examples, ''),
    '',
    end,
  ].join('\n')
}

function interrupted(): CliError {
  const message = 'Stopped. Reports keep the former answers. Run the command again to start over.'
  return new CliError('interrupted', message, { exitCode: INTERRUPTED })
}
