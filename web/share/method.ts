import type { Method } from '../../core/method/method.ts'
import { platformNames } from '../../core/platforms.ts'
import { counted } from '../../core/text/counted.ts'
import { count, dayText } from './numbers.ts'

const join = (texts: readonly string[]) => texts.filter((text) => text !== '').join(', ')

function platformsOf({ platforms }: Method): string {
  return join(
    platforms.map(({ platform, models, answers }) => {
      const of = models.length === 0 ? '' : ` (${models.join(', ')})`
      return `${platformNames.get(platform) ?? platform}${of}: ${count(answers)}`
    }),
  )
}

function cadenceOf({ cadence: { days, firstDay, lastDay, typicalGapDays } }: Method): string {
  if (firstDay === null || lastDay === null) return 'No answers'
  const gap = typicalGapDays === null ? '' : `, mostly ${counted(typicalGapDays, 'day')} apart`
  return `Answers of ${counted(days, 'day')} from ${dayText(firstDay)} to ${dayText(lastDay)}${gap}`
}

/** The six facts of a method, each with its name. */
export function methodFacts(method: Method): readonly (readonly [string, string])[] {
  const { prompts, sample, types, reproducibility } = method
  const { answers, answersPerPrompt, repetitions, locations, countries } = sample
  const { nameRules, toneRules, rawAnswers } = reproducibility
  const rules = join([
    nameRules.length === 0 ? '' : `names by version ${nameRules.join(' and ')} of the rules`,
    toneRules.length === 0 ? '' : `tones by version ${toneRules.join(' and ')}`,
  ])
  return [
    ['Prompts', `${counted(prompts, 'prompt')} with answers`],
    [
      'Sample',
      join([
        counted(answers, 'answer'),
        answersPerPrompt === null ? '' : `mostly ${answersPerPrompt} to a prompt on a platform`,
        repetitions === null ? '' : `${repetitions} on a day`,
        locations === 0 ? '' : counted(locations, 'location'),
        countries.join(' '),
      ]),
    ],
    [
      'Types',
      join([
        `${count(types.unbranded)} prompts without the brand`,
        `${count(types.branded)} with it`,
        ...types.intents.map(({ intent, prompts: of }) => `${count(of)} ${intent}`),
      ]),
    ],
    ['Cadence', cadenceOf(method)],
    [
      'Reproducibility',
      join([`${count(rawAnswers)} of ${counted(answers, 'answer')} stored as sent`, rules]),
    ],
    ['Platforms', platformsOf(method)],
  ]
}
