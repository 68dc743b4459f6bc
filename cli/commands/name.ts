import { type Command, Option } from 'commander'
import { type MatchMode, matchModes } from '../../core/text/match-modes.ts'
import type {
  BrandMatches,
  MatchSample,
  NameMatches,
} from '../../resolvers/projects/brand-matches.ts'
import { projectChange } from '../change.ts'
import { commandGroup, example, projectCommand, repeatable } from '../options.ts'
import { readProject } from '../project-details.ts'
import { perform } from '../run.ts'
import { withStores } from '../stores.ts'
import { count } from '../text.ts'

interface NewRule {
  competitor?: string
  alias?: string
  match?: MatchMode | 'default'
  exclude: string[]
  excludeNothing?: true
}

/** Commands that set how a name is found in answers. */
export function addName(program: Command): void {
  const name = commandGroup(
    program,
    'name',
    'set how names of brands are found in answers',
    'name set --project 8c1e… --match exact_case',
  )
  projectCommand(name, 'set')
    .description('set how a name is found, and the phrases in which it does not count')
    .option('--competitor <id>', 'change a name of this competitor (default: of the brand)')
    .option('--alias <text>', 'change this alias (default: the name of the brand)')
    .addOption(
      new Option('--match <mode>', 'choose the case, or let the name decide').choices([
        ...matchModes,
        'default',
      ]),
    )
    .option(
      '--exclude <phrase>',
      'a phrase without a mention; repeatable, replaces all',
      repeatable,
      [],
    )
    .option('--exclude-nothing', 'remove all phrases')
    .addHelpText(
      'after',
      example(
        'name set --project 8c1e… --match exact_case --exclude "target audience"',
        'See what counts with `npx sightline project matches`.',
      ),
    )
    .action(
      projectChange<NewRule>('Set the rule of name', async (write, options) => {
        const { setNameMatch } = await import('../../resolvers/projects/name-match.ts')
        const { competitor, alias, match, exclude, excludeNothing } = options
        const phrases = excludeNothing ? [] : exclude
        return setNameMatch(write.db, write.actor, write.projectId, {
          ...(competitor === undefined ? {} : { competitorId: competitor }),
          ...(alias === undefined ? {} : { alias }),
          ...(match === undefined ? {} : { match: match === 'default' ? null : match }),
          ...(excludeNothing || exclude.length > 0 ? { excludedPhrases: phrases } : {}),
        })
      }),
    )
}

const reasons: Readonly<Record<NameMatches['rule']['reason'], string>> = {
  chosen: 'chosen',
  dictionary_word: 'an English word',
  short: 'one or two letters',
  unit: 'a unit',
  foreign_word: 'a word of another language',
  distinctive: 'no word of a dictionary',
}

const asides: Readonly<Record<NonNullable<MatchSample['setAside']>, string>> = {
  case: 'other case',
  hyphen: 'hyphen',
  sentence_start: 'first word',
  amount: 'amount',
  person: 'person',
  excluded_phrase: 'excluded',
  longer_name: 'longer name',
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

function describeRule({ rule, exactIn }: NameMatches): string {
  const languages = exactIn.map((each) => languageNames.of(each) ?? each)
  if (languages.length === 0) return `${rule.mode}, ${reasons[rule.reason]}`
  return `${rule.mode}, but exact_case in answers in ${languages.join(' and ')}: a word there`
}

function describeName(name: NameMatches): string {
  const { text, brand, ...found } = name
  const { answers, answersSetAside, samples, excludedPhrases } = found
  const phrases = excludedPhrases.length > 0 ? `, without ${excludedPhrases.join(', ')}` : ''
  const rows = samples.map(({ before, matched, after, setAside }) => {
    const verdict = setAside === null ? 'counts' : asides[setAside]
    return `  ${verdict.padEnd(12)} …${before} [${matched}] ${after}…`
  })
  const numbers = `counts in ${count(answers)} answers, set aside in ${count(answersSetAside)}`
  return [`${text} (${brand}): ${describeRule(name)}${phrases}; ${numbers}`, ...rows].join('\n')
}

/** Adds the command that shows what the names of a project find. */
export function addMatches(project: Command): void {
  project
    .command('matches')
    .argument('<id>', 'the project')
    .description('show how each name is found, with samples from the newest answers')
    .option('--samples <number>', 'samples that count, and that do not, for each name', '3')
    .addHelpText('after', example('project matches 8c1e… --samples 5'))
    .action(
      perform<{ samples: string }, [string]>(async (context, { samples }, id) => {
        const { brandMatches } = await import('../../resolvers/projects/brand-matches.ts')
        const limit = Math.min(50, Math.max(0, Math.trunc(Number(samples)) || 0))
        const found: BrandMatches = await withStores(context, async (stores) => {
          const { id: projectId } = await readProject(stores.db, id.toLowerCase())
          return brandMatches(stores, projectId, { limit })
        })
        const { names, answersSearched } = found
        const head = `The ${count(answersSearched)} newest answers were searched.`
        return { json: found, text: [head, ...names.map(describeName)].join('\n\n') }
      }),
    )
}
