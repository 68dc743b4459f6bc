import { termsOf } from '../core/text/search-terms.ts'

/** Words of an English question that say nothing of what is asked for. */
const empty = new Set(
  `a about all am an and any are as at be been being but by can could did do does for from get give had has have how i if in
  into is it its me my of on or our ours over please should show so than that the their them there these they this those to
  up us was we were what when where which who whose why will with would you your`.split(/\s+/),
)

/** Words of a question that name what is looked for, and not what it is about. */
const kinds = new Set(
  `answer answers brand brands cite cited cites citing competitor competitors mention mentioned mentions page pages people
  prompt prompts question questions say says site sites source sources talk topic topics`.split(
    /\s+/,
  ),
)

/** A search takes this many. */
const mostTerms = 10

/**
 * What a question is searched by: models send whole questions, and few answers have each word of one. Phrases stay.
 * A query of empty words alone is left unchanged.
 */
export function searchedWords(query: string): string[] {
  const terms = termsOf(query).map((term) =>
    term.includes(' ') ? term : term.replace(/^[¿¡(]+|[?!.,:;)]+$/g, ''),
  )
  const telling = terms.filter((term) => term !== '' && !empty.has(term.toLowerCase()))
  return (telling.length > 0 ? telling : termsOf(query)).slice(0, mostTerms)
}

/** The words without those that name a kind of result; undefined where that leaves all of them, or none. */
export function withoutKinds(terms: readonly string[]): string[] | undefined {
  const rest = terms.filter((term) => !kinds.has(term.toLowerCase()))
  return rest.length > 0 && rest.length < terms.length ? rest : undefined
}

/** A query of words and phrases. */
export const queryOf = (terms: readonly string[]) =>
  terms.map((term) => (/\s/.test(term) ? `"${term}"` : term)).join(' ')
