import type { Command } from 'commander'
import { counted } from '../../core/text/counted.ts'
import { CliError } from '../errors.ts'
import { example } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import type { Change } from './changes.ts'

interface OfFile {
  readonly file: string
}

const fileOption = ['-f, --file <file>', 'the project file, or - for standard input'] as const

export function addPlan(program: Command): void {
  program
    .command('plan')
    .requiredOption(...fileOption)
    .option('--fail', 'exit with 3 where the file and the service differ')
    .description('show what `apply` would change, and change nothing')
    .addHelpText('after', example('plan -f acme.yaml'))
    .action(perform(plan))
}

export function addApply(program: Command): void {
  program
    .command('apply')
    .requiredOption(...fileOption)
    .option('--yes', 'confirm removals')
    .description(
      'change workspaces, projects, prompts, schedules, monitors and channels to match a file',
    )
    .addHelpText(
      'after',
      example(
        'apply -f acme.yaml',
        '`export -f acme.yaml --workspace Acme` writes such a file, and its JSON Schema for editors beside it.\n' +
          'What the file leaves out is not changed. A list that it has is the whole list: what the list lacks is removed,\n' +
          'after `--yes`. Prompts are archived instead, and projects stay. All is changed, or nothing.',
      ),
    )
    .action(perform(apply))
}

/** What a difference exits with, as an open alarm does. */
const differsExitCode = 3

async function plan(
  context: Context,
  { file, fail }: OfFile & { readonly fail?: true },
): Promise<CommandResult> {
  const { changes } = await run(context, file, { isPlan: true })
  const text =
    changes.length === 0 ? 'Nothing to change.' : `${listOf(changes)}\n\n${sumOf(changes)}.`
  return {
    json: { changes },
    text,
    ...(fail && changes.length > 0 && { exitCode: differsExitCode }),
  }
}

async function apply(
  context: Context,
  { file, yes }: OfFile & { readonly yes?: true },
): Promise<CommandResult> {
  const { changes, secrets, recount } = await run(context, file, {
    isPlan: false,
    accept(all) {
      const final = all.filter(({ action }) => action === 'remove')
      if (yes || final.length === 0) return
      const message = `Nothing was changed. ${counted(final.length, 'removal')} must be confirmed with \`--yes\`:\n${listOf(final)}`
      throw new CliError('not_confirmed', message, { extras: { changes: final }, exitCode: 2 })
    },
  })
  const done =
    changes.length === 0 ? 'Nothing to change.' : `${listOf(changes)}\n\nDone: ${sumOf(changes)}.`
  const lines = [
    ...secrets.map(
      ({ channel, secret }) => `The secret of "${channel}", which is shown only now: ${secret}`,
    ),
    ...recount.map(
      (id) => `To recount the stored answers, run \`npx sightline recount --project ${id}\``,
    ),
  ]
  return { json: { changes, secrets, recount }, text: [done, ...lines].join('\n') }
}

async function run(
  context: Context,
  name: string,
  options: Parameters<typeof import('./apply.ts')['applyFile']>[4],
) {
  const [{ readProjectFile }, { applyFile }] = await Promise.all([
    import('./file.ts'),
    import('./apply.ts'),
  ])
  const file = await readProjectFile(name)
  return withCatalog(context, (db, secrets) => applyFile(context, db, secrets, file, options))
}

const signs = { add: '+', change: '~', remove: '-' } as const

/** Changes by their place, in the order in which they are made. */
function listOf(changes: readonly Change[]): string {
  const groups = Map.groupBy(changes, ({ workspace, project }) =>
    [workspace, project].filter((name) => name !== null).join(' / '),
  )
  return [...groups]
    .map(([place, ofPlace]) => [place, ...ofPlace.map(lineOf)].join('\n'))
    .join('\n')
}

function lineOf({ action, what, fields }: Change): string {
  const texts = fields.map(({ name, before, after }) =>
    action === 'add' ? `${name} ${textOf(after)}` : `${name} ${textOf(before)} → ${textOf(after)}`,
  )
  return `  ${signs[action]} ${what}${texts.length > 0 ? `: ${texts.join(', ')}` : ''}`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (!Array.isArray(value)) return String(value)
  return `[${value.join(', ')}]`
}

function sumOf(changes: readonly Change[]): string {
  const number = (action: Change['action']) =>
    changes.filter((change) => change.action === action).length
  return `${number('add')} added, ${number('change')} changed, ${number('remove')} removed`
}
