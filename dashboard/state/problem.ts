import { t } from '../texts/texts.ts'
import { AskError } from './ask-error.ts'

/** What is wrong with one value of a form. */
export interface WrongField {
  readonly path: string | null
  readonly message: string
}

const { problems } = t

/** A rule as a sentence: without what was given, and without marks of code. */
function ruleText(message: string): string {
  const rule = message
    .replace(/; got .*$/s, '')
    .replaceAll('`', '')
    .replace(/\.$/, '')
  return `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`
}

/** A value as the form calls it: “Competitor 2, Domain” for the domain of the second competitor. */
function labelsOf(path: string | null): string[] {
  const parts = path?.split('.') ?? []
  return parts.flatMap((part, at) => {
    const label = problems.fields[part]
    if (!label) return []
    const index = Number(parts[at + 1] ?? Number.NaN)
    return [Number.isInteger(index) ? problems.numbered(label, index + 1) : label]
  })
}

/** The sentence of a code; what the service says of it is for programs. */
export function sentenceOf(code: string): string {
  const sentences: Readonly<Record<string, string>> = problems.sentences
  return sentences[code] ?? problems.sentences.internal_error
}

/** What a page says of a problem: the rules of the values that are wrong, or the sentence of the code. */
export function askError(code: string, fields: readonly WrongField[] = []): AskError {
  const wrong = fields.map(({ path, message }) => ({
    // The domain of a competitor is none of the field for the own domain.
    name: path?.includes('.') ? '' : (path ?? ''),
    rule: ruleText(message),
    sentence: problems.named(labelsOf(path), ruleText(message)),
  }))
  const said = wrong.map(({ sentence }) => sentence).join(' ') || sentenceOf(code)
  return new AskError(said, code, wrong)
}
