import { count, counted } from '../../../web/share/numbers.ts'

/** An amount that is estimated. The least amounts are written with `<`, which says enough. */
const about = (money: string, word = 'about') =>
  money.startsWith('<') ? money : `${word} ${money}`

/** Texts about who rates the sentiment of answers. */
export const rating = {
  title: 'Sentiment by',
  lead: 'Who rates whether an answer speaks well or badly of a brand. Reports show one method and never mix two.',
  by: { rules: 'Rules', model: 'Model' },
  rulesHint:
    'Free. Rules read English, German, French, Spanish, Italian, Portuguese and Dutch; answers in other languages have no sentiment.',
  modelHint:
    'A model reads the clauses about each brand, in any language, and quotes the words that decide.',
  key: 'Provider key',
  keyOf: (provider: string, label: string) => `${provider} (${label})`,
  model: 'Model',
  cap: 'Most to spend in a month, in US dollars',
  capHint: 'Ratings stop there until the next month. Leave it empty for no limit.',
  noKey: 'Add a provider key under Data collection to have a model rate answers.',
  price: (money: string, isMeasured: boolean) =>
    `${about(money, 'About')} per 1,000 answers, ${isMeasured ? 'by the tokens of your answers so far' : 'estimated from your answers'}.`,
  noPrice: 'The price of this model is not known, so a limit cannot be kept.',
  pricing: 'Working out the price …',
  becomeUnrated: (answers: number) =>
    `${counted(answers, 'older answer')} will be unrated until the model has read them.`,
  save: 'Save',
  saved: 'Saved',
  now: (method: string) => `Now: ${method}`,
  spent: (money: string, cap: string | null) =>
    cap === null
      ? `${money} spent this month, without a limit`
      : `${money} of ${cap} spent this month`,
  older: (answers: number) => `${count(answers)} answers from before are not rated.`,
  rateOlder: (money: string | null) =>
    money === null ? 'Rate older answers' : `Rate older answers for ${about(money)}`,
  rating: (answers: number) => `The model is rating ${counted(answers, 'answer')}.`,
  waits: 'Rating waits',
  line: (model: string, money: string | null, cap: string | null) =>
    `Sentiment is rated by ${model}${money === null ? '' : `, for ${about(money)} per 1,000 answers`}${cap === null ? '' : `, at most ${cap} a month`}.`,
  ruled: 'Sentiment is rated by rules, which costs nothing.',
  useRules: 'Use rules instead',
  useModel: 'Use a model',
}
