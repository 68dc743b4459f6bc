import type { Command } from 'commander'
import { invalid, notFound } from '../../../core/errors.ts'
import type { SamplePlan } from '../../../resolvers/collecting/sample-plan.ts'
import { example, projectCommand } from '../../options.ts'
import { readProject } from '../../project-details.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withStores } from '../../stores.ts'
import { columns, count } from '../../text.ts'

export function addEstimate(program: Command): void {
  projectCommand(program, 'estimate')
    .description('estimate which change of visibility a schedule detects')
    .option('--prompts <count>', 'with so many prompts; default: all tracked prompts')
    .option('--platforms <count>', 'with so many AI platforms; default: those with answers')
    .option('--repetitions <count>', 'ask each prompt so often in a run, 1 to 20', '1')
    .option('--runs-per-week <count>', 'with so many runs a week', '7')
    .option('--window-weeks <count>', 'compare two windows of so many weeks, 1 to 52', '4')
    .option('--points <points>', 'show what detects a change of so many percentage points', '5')
    .option('--days <days>', 'measure spreads in the answers of so many days', '30')
    .addHelpText(
      'after',
      example(
        'estimate --project Acme --repetitions 3 --runs-per-week 2',
        'A change is detected when the test of changes finds it in 80 of 100 cases.',
      ),
    )
    .action(perform(estimate))
}

type Options = { readonly project: string } & Readonly<
  Record<'repetitions' | 'runsPerWeek' | 'windowWeeks' | 'points' | 'days', string> &
    Partial<Record<'prompts' | 'platforms', string>>
>

function readNumber(name: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  throw invalid(name, 'must be a number', text)
}

async function estimate(context: Context, options: Options): Promise<CommandResult> {
  const [{ contextOf }, { scopeOf }, { samplePlan }] = await Promise.all([
    import('../../../digest/context.ts'),
    import('../../../schema/kit/authorize.ts'),
    import('../../../resolvers/collecting/sample-plan.ts'),
  ])
  const read = (name: keyof Options) => readNumber(name, options[name] ?? '')
  const args = {
    ...(options.prompts === undefined ? {} : { prompts: read('prompts') }),
    ...(options.platforms === undefined ? {} : { platforms: read('platforms') }),
    repetitions: read('repetitions'),
    runsPerWeek: read('runsPerWeek'),
    windowWeeks: read('windowWeeks'),
    points: read('points'),
    days: read('days'),
  }
  return withStores(context, async (stores) => {
    const { id } = await readProject(stores.db, options.project)
    const owner = await contextOf(context.settings, stores, id)
    if (!owner) throw notFound()
    const found = await samplePlan(await scopeOf(owner, id), args)
    return { json: found, text: textOf(found, args.windowWeeks) }
  })
}

const shown = (points: number | null) => (points === null ? 'unknown' : `${points} points`)

function textOf(found: SamplePlan, weeks: number): string {
  const { target, basis, prompts, answersPerPrompt } = found
  const alone = [
    target.prompts === null ? [] : [`${count(target.prompts)} prompts`],
    target.runsPerWeek === null ? [] : [`${target.runsPerWeek} runs a week`],
  ].flat()
  const spreads = [found.withinPrompts, found.betweenPrompts, found.changesOfPrompts]
  return [
    columns(
      [
        ['prompts', count(prompts)],
        ['answers to a prompt', `${count(answersPerPrompt)} in ${weeks} weeks`],
        ['questions a week', count(found.questionsPerWeek)],
        ['smallest change detected', shown(found.detectablePoints)],
        [
          'visibility known to',
          found.intervalPoints === null ? 'unknown' : `±${shown(found.intervalPoints)}`,
        ],
        ['spreads', `${basis}: ${spreads.join(', ')} points`],
      ],
      '',
    ),
    '',
    `A change of ${target.points} points needs ${alone.join(', or ') || 'other prompts: single ones change too much'}.`,
  ].join('\n')
}
