import type { GapKind, Method } from '../../core/method/method.ts'
import { platformNames } from '../../core/platforms.ts'
import type { ReportView } from '../../core/reports/view.ts'
import { count, counted, daysText } from './numbers.ts'

/** A term and its meaning, or a fact and its value. */
export type Entry = readonly [term: string, text: string]

const join = (texts: readonly string[]) => texts.filter((text) => text !== '').join(', ')

const platformsOf = ({ platforms }: Method): string =>
  platforms
    .map(({ platform, models, answers }) => {
      const of = models.length === 0 ? '' : ` (${models.join(', ')})`
      return `${platformNames.get(platform) ?? platform}${of}: ${counted(answers, 'answer')}`
    })
    .join('; ')

function collectedOf({ prompts, sample, cadence }: Method): string {
  const { answers, locations, countries } = sample
  const { days, firstDay, lastDay } = cadence
  const where =
    locations === 0
      ? ''
      : `from ${counted(locations, 'location')}${countries.length > 0 ? ` (${countries.join(', ')})` : ''}`
  const when =
    firstDay === null || lastDay === null
      ? ''
      : `on ${counted(days, 'day')}, ${daysText(firstDay, lastDay)}`
  return `${join([`${counted(answers, 'answer')} to ${counted(prompts, 'prompt')}`, where, when])}.`
}

const wayWords = {
  surface: 'as people see them, from pages of AI platforms',
  api: 'by API',
  imported: 'imported',
} as const

/** How the answers were collected. */
export function methodEntries(method: Method): readonly Entry[] {
  const { types, ways = [] } = method
  const obtained = ways.map(({ obtained, answers }) => `${count(answers)} ${wayWords[obtained]}`)
  return [
    ['Answers', collectedOf(method)],
    ['Prompts', `${count(types.unbranded)} do not mention the brand, ${count(types.branded)} do.`],
    ['AI platforms', `${platformsOf(method)}.`],
    ...(ways.length > 1 ? [['Obtained', `${obtained.join('; ')}.`] as const] : []),
  ]
}

/** What limits the numbers, for readers who did not collect them; null for what does not concern them. */
const limits: Readonly<Record<GapKind, string | null>> = {
  few_prompts: 'Few prompts were asked. Other questions may give other numbers.',
  few_answers: 'There are few answers, so small differences may be chance.',
  one_answer:
    'Most prompts were asked once on each AI platform. AI platforms answer the same question differently each time.',
  no_unbranded: 'All prompts mention the brand, so its visibility is high by itself.',
  no_intents: null,
  few_days: 'The answers are of few days, and say little of the time between.',
  long_gaps: 'There are long gaps between the days with answers.',
  no_raw_answers: null,
  no_models: 'Some answers do not say which model gave them.',
  mixed_rules: 'The answers were analysed by several versions of the rules.',
  one_platform: 'All answers are of one AI platform, and say nothing of others.',
  mixed_ways:
    'Answers of AI platforms as people see them, answers by API and imported ones count together here. They differ.',
  many_failures: 'Many questions got no answer.',
}

export function limitsOf({ missing }: Method): readonly string[] {
  return missing.flatMap(({ kind }) => limits[kind] ?? [])
}

/** What the numbers of a page mean. */
export function meaningsOf({ headline, sources, brands }: ReportView): readonly Entry[] {
  const interval =
    'The range in which the number would lie, 95 times in 100, if other prompts like these were asked. A change is coloured where it is more than normal variation.'
  return [
    ...(headline.visibility
      ? ([
          [
            'Visibility',
            'Percent of answers that mention the brand. An answer counts once, however often it does.',
          ],
          [
            'Share of voice',
            'Answers that mention the brand, as a share of the sum over all tracked brands.',
          ],
          ['Average position', 'Mean rank of the brand among the brands of an answer; 1 is first.'],
        ] as const)
      : []),
    ...(brands && headline.visibility
      ? ([
          [
            'Answers and mentions',
            'Answers counts those that mention the brand. Mentions counts each time its name stands in them, so it is the larger number.',
          ],
        ] as const)
      : []),
    ...(headline.sentiment
      ? ([
          [
            'Sentiment',
            'From 0 (all negative) over 50 (neutral) to 100 (all positive), of the answers that say something about the brand.',
          ],
        ] as const)
      : []),
    ...(sources ? ([['Citation', 'A link that an answer gives as its source.']] as const) : []),
    ['95% confidence interval', interval],
  ]
}
