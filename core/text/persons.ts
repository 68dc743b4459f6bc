import { gaps } from './characters.ts'
import { canBeProperName, isDictionaryWord } from './dictionary.ts'
import { precedesProduct } from './edges.ts'
import { type Folded, isWordKind } from './fold.ts'
import { type Neighbour, wordAfter, wordBefore } from './neighbours.ts'

/**
 * Whether a name that stands in a text is of a person: "Dr. Dyson", "August Wilson wrote Fences". Only where the text
 * shows it, since "Paris Hilton" may be a hotel too.
 */

const setOf = (words: string) => new Set(words.split(/\s+/))

const titles = setOf('dr prof professor mr mrs ms sir senator sen president justice')
const abbreviatedTitles = setOf('dr prof mr mrs ms sen')
/** What only people do. Companies say and announce too. */
const deeds = setOf(
  `wrote authored starred acted acts painted sang sings directed composed voiced rapped raps portrayed invented
  founded cofounded designed coached died married hosted starring retired resigned testified sculpted choreographed`,
)
/** What a company does too, which shows no person where the name comes first: "Chase Bank said". */
const words = setOf('said says argued recalled played scored')
const roles = setOf(
  `actor actress author writer playwright novelist poet singer songwriter rapper musician composer painter artist
  sculptor inventor founder cofounder politician senator governor lawyer attorney professor scientist physicist chemist
  engineer designer architect director producer comedian athlete footballer golfer boxer philosopher economist historian
  journalist model doctor physician surgeon entrepreneur businessman businesswoman industrialist heir heiress president
  king queen prince princess champion host pianist guitarist drummer chef astronaut lady`,
)
/** Roles after which no company is named, apart from those of a company's own people. */
const rolesBefore = new Set([...roles].filter((role) => !setOf('model host director').has(role)))
const works = setOf(
  'novel novels play plays book books film films movie movies song songs album albums poem poems painting paintings biography autobiography memoir',
)
const prizes = setOf('match game title election oscar grammy emmy medal tournament nobel seat')
const determiners = setOf('the a an this that these those my your our their its every each new')
/** After these stands a place or a time: "In Paris Hilton said". */
const placing = setOf('in at on from near since until during last this next early late mid by to')

const yearsOfLife = /^\((?:born|\d{4})/
const isAdjacent = ({ gap, signs }: Neighbour) =>
  signs === '' && (gap & gaps.space) !== 0 && (gap & gaps.hyphen) === 0

/** Whether a word may be the other part of a person's name: "August", "Monet". */
const isNamePart = (beside: Neighbour) =>
  isAdjacent(beside) &&
  beside.isCapitalised &&
  (beside.gap & gaps.apostrophe) === 0 &&
  beside.word.length > 1 &&
  /^\p{L}+$/u.test(beside.word) &&
  canBeProperName(beside.word)

/** Whether a role stands among the next words, after an article: "a former first lady". */
function namesRole(folded: Folded, at: number): boolean {
  const article = wordAfter(folded, at)
  if (!determiners.has(article.word)) return false
  let next = wordAfter(folded, article.end)
  for (let read = 0; read < 4 && next.word !== '' && next.signs === ''; read++) {
    if (roles.has(next.word)) return true
    next = wordAfter(folded, next.end)
  }
  return false
}

/** Whether what follows a full name is about a person. */
function isFollowedByLife(folded: Folded, end: number, mayBeCompany: boolean): boolean {
  const next = wordAfter(folded, end)
  if (next.word === '') return false
  if (next.signs === ',') {
    return next.word === 'who' || namesRole(folded, next.start)
  }
  if (yearsOfLife.test(next.signs + next.word)) return true
  if (next.signs !== '') return false
  if ((next.gap & gaps.apostrophe) !== 0 && next.word === 's') {
    return works.has(wordAfter(folded, next.end).word)
  }
  if (deeds.has(next.word) || (!mayBeCompany && words.has(next.word))) return true
  const after = wordAfter(folded, next.end)
  if (next.word === 'was' || next.word === 'is') {
    return after.word === 'born' || roles.has(after.word) || namesRole(folded, next.end)
  }
  if (next.word === 'grew') return after.word === 'up'
  if (next.word === 'appeared') return after.word === 'in'
  if (next.word === 'won' || next.word === 'lost') {
    return prizes.has(determiners.has(after.word) ? wordAfter(folded, after.end).word : after.word)
  }
  return false
}

/** Whether a role stands before a full name: "actor Owen Wilson", "written by August Wilson". */
function isPrecededByRole(folded: Folded, start: number): boolean {
  const before = wordBefore(folded, start)
  if (!isAdjacent(before)) return false
  if (before.word === 'starring' || rolesBefore.has(before.word)) return true
  if (before.word !== 'by') return false
  return /^(?:written|directed|painted|composed|sung)$/.test(wordBefore(folded, before.start).word)
}

/** How many initials stand before a name: "H.G. Wells". */
function initialsBefore({ code, gap, kind }: Folded, start: number): number {
  let [count, at] = [0, start]
  while (at > 1 && code[at - 1] === 46) {
    const isLetter = isWordKind(kind[at - 2] ?? 0)
    const isFirst = at === 2 || gap[at - 2] !== 0 || code[at - 3] === 46
    if (!isLetter || !isFirst) break
    count++
    at -= 2
  }
  return count
}

/**
 * Whether the name of a brand, a word in a text, is the surname or the first name of a person there.
 * @param isOtherBrand whether a word beside it belongs to a name that is tracked too
 */
export function isPerson(
  folded: Folded,
  start: number,
  end: number,
  isOtherBrand: (at: number) => boolean,
): boolean {
  if (precedesProduct(folded, end)) return hasSurname(folded, start, end, isOtherBrand)
  const first = wordBefore(folded, start)
  if (first.word === '') return false
  const isTitle = titles.has(first.word) && first.isCapitalised && (first.gap & gaps.space) !== 0
  if (
    isTitle &&
    (first.signs === '' || (first.signs === '.' && abbreviatedTitles.has(first.word)))
  ) {
    return true
  }
  if (initialsBefore(folded, start) > 1) return true
  if (!isNamePart(first) || isOtherBrand(first.start)) return false
  const earlier = wordBefore(folded, first.start)
  if (isAdjacent(earlier) && (determiners.has(earlier.word) || placing.has(earlier.word))) {
    return false
  }
  return isFollowedByLife(folded, end, false) || isPrecededByRole(folded, first.start)
}

function hasSurname(
  folded: Folded,
  start: number,
  end: number,
  isOtherBrand: (at: number) => boolean,
): boolean {
  const surname = wordAfter(folded, end)
  if (!isNamePart(surname) || isOtherBrand(surname.start)) return false
  const before = wordBefore(folded, start)
  if (isAdjacent(before) && determiners.has(before.word)) return false
  // "Chase Bank, a model": what is a word and begins in upper case is a product as often.
  const mayBeProduct = isDictionaryWord(surname.word)
  return (
    isFollowedByLife(folded, surname.end, true) ||
    (!mayBeProduct && isPrecededByRole(folded, start))
  )
}
