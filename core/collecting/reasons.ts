import { providerNames } from './providers/names.ts'
import type { AskedProvider } from './providers/request.ts'

type Rule = readonly [pattern: RegExp, sentence: (name: string) => string]

/** By the messages of `AskFault` and of the worker; the first that fits decides. */
const rules: readonly Rule[] = [
  [
    /^The cap on spending/,
    () => 'The spending limit was reached, or the model has no price to count.',
  ],
  [/^The run reached its deadline/, () => 'The run took longer than six hours and was ended.'],
  [
    /^It is not known whether/,
    (name) => `It is not known whether ${name} took the question, so it was not asked again.`,
  ],
  [/its reply with the id was lost/, (name) => `${name} has the question, and its reply was lost.`],
  [/no longer has the answer/, (name) => `${name} no longer has the answer.`],
  [/did not begin the question/, (name) => `${name} did not begin the question within a day.`],
  [/did not end the question/, (name) => `${name} gave no answer within an hour.`],
  [/gave no answer in time/, (name) => `${name} gave no answer in time.`],
  [/^The provider key is gone/, () => 'The provider key was removed, or cannot be opened.'],
  [
    / answered 403 \(INSUFFICIENT_CREDITS\)/,
    (name) => `The account at ${name} has no credit left.`,
  ],
  [/ answered (?:401|403)\b/, (name) => `${name} refused the key.`],
  [
    / answered 402\b|insufficient_quota|credit|billing/i,
    (name) => `The account at ${name} has no credit left.`,
  ],
  [/ answered 429\b/, (name) => `${name} limited the number of requests.`],
  [/ answered 404\b|model/i, (name) => `${name} does not know the model, or the address is wrong.`],
  [/ answered 5\d\d\b/, (name) => `${name} had a problem of its own.`],
  [/did not answer in time/, (name) => `${name} did not answer in time.`],
  [/does not answer \(dns\)/, (name) => `Couldn't reach ${name}: its name was not found.`],
  [/does not answer/, (name) => `Couldn't reach ${name}: there is no connection.`],
  [/is not https|private address/, (name) => `The address of ${name} may not be asked.`],
  [/ answered with /, (name) => `${name} sent something that is no answer.`],
]

/** Why questions failed, in a sentence for people; the message as it is where no rule knows it. */
export function plainReason(provider: AskedProvider, message: string): string {
  const name = provider === 'compatible' ? 'The provider' : providerNames[provider]
  const found = rules.find(([pattern]) => pattern.test(message))
  return found ? found[1](name) : message
}
