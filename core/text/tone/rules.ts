import { Labels } from './labels.ts'
import { lexiconOf, type ToneLanguage, toneLanguages } from './lexicon.ts'
import { Clauses } from './lines.ts'
import { elidedWordsOf, nameSign, Opinions, wordsOf } from './opinions.ts'
import { Subjects } from './subjects.ts'

/** The rules of tones in one language. */
export interface ToneRules {
  readonly language: ToneLanguage
  readonly labels: Labels
  readonly clauses: Clauses
  readonly subjects: Subjects
  readonly opinions: Opinions
  /** What is said of the reader and not of a brand: "If you hate cables,". */
  readonly condition: RegExp
  wordsOf(text: string): string[]
}

const compiled = new Map<ToneLanguage, ToneRules>()

function compile(language: ToneLanguage): ToneRules {
  const lexicon = lexiconOf(language)
  return {
    language,
    labels: new Labels(lexicon),
    clauses: new Clauses(lexicon),
    subjects: new Subjects(lexicon),
    opinions: new Opinions(lexicon),
    condition: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${lexicon.conditions.join('|')})\s[^,.;:!?|\n${nameSign}]{0,120}(?=[,.;:!?|\n]|$)`,
      'giu',
    ),
    wordsOf: lexicon.elides ? elidedWordsOf : wordsOf,
  }
}

/** The rules of a language as a code of ISO 639-1, made when they are first asked for; undefined for other languages. */
export function toneRules(language: string): ToneRules | undefined {
  const known = toneLanguages.find((each) => each === language)
  if (known === undefined) return undefined
  const rules = compiled.get(known) ?? compile(known)
  compiled.set(known, rules)
  return rules
}

export function english(): ToneRules {
  const rules = toneRules('en')
  if (rules === undefined) throw new Error('the rules of English are gone')
  return rules
}
