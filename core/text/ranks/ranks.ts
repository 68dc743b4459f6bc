import { linesOf } from '../tone/lines.ts'
import { english } from '../tone/rules.ts'
import { beginOf, isSetAside } from './aside.ts'
import { mayRank, type RankBasis, type Ranking, rankingsOf } from './numbered.ts'

interface Named {
  readonly spans: readonly { readonly start: number; readonly end: number }[]
}

/** The place of a brand among those that the answer names, from 1, and what gives the place. */
export interface Rank {
  readonly rank: number
  readonly rankBasis: RankBasis
}

interface Given {
  /** The lowest number that a list or a table gives a brand. */
  readonly ranks: ReadonlyMap<number, Rank>
  /** Those that give a number to somebody. */
  readonly rankings: readonly Ranking[]
}

function givenBy(rankings: readonly Ranking[], named: readonly Named[]): Given {
  const starts = named.flatMap(({ spans }, brand) => spans.map(({ start }) => ({ start, brand })))
  starts.sort((a, b) => a.start - b.start)
  const places = rankings.flatMap((ranking) => ranking.places.map((place) => ({ ranking, place })))
  places.sort((a, b) => a.place.start - b.place.start)
  const ranks = new Map<number, Rank>()
  const giving = new Set<Ranking>()
  let next = 0
  for (const { ranking, place } of places) {
    while ((starts[next]?.start ?? place.end) < place.start) next++
    const first = starts[next]?.start
    for (; (starts[next]?.start ?? place.end) < place.end; next++) {
      const { brand, start } = starts[next] as (typeof starts)[number]
      // A row is about whom it names first; the title of an item may name two.
      if (ranking.basis === 'table' && start !== first) continue
      giving.add(ranking)
      if (place.rank < (ranks.get(brand)?.rank ?? Number.POSITIVE_INFINITY)) {
        ranks.set(brand, { rank: place.rank, rankBasis: ranking.basis })
      }
    }
  }
  return { ranks, rankings: [...giving] }
}

/**
 * Ranks of the brands that an answer names. A numbered list and a table with a column of ranks give their numbers.
 * Other brands rank by the first place that names them in the answer itself. Brands that are only set aside come last.
 * @param text the answer as `readableText` gives it
 * @param named the places of each brand, in the order of the text
 * @returns a rank for each brand; brands that are named first at the same place share one
 * @see the contract's page on true numbers, part 2
 */
export function ranksOf(text: string, named: readonly Named[]): Rank[] {
  const isNumbered = mayRank.test(text)
  if (named.length < 2 && !isNumbered) return named.map(() => ({ rank: 1, rankBasis: 'text' }))
  const lines = linesOf(text, english().labels)
  const given = givenBy(isNumbered ? rankingsOf(text, lines) : [], named)
  const begin = beginOf(text, lines)
  const order = named.map(({ spans }, brand) => {
    const own = spans.find((span) => span.start >= begin && !isSetAside(text, span))
    return { brand, isAside: own === undefined, at: (own ?? spans[0])?.start ?? 0 }
  })
  order.sort((a, b) => Number(a.isAside) - Number(b.isAside) || a.at - b.at)
  const ranks = new Map<number, Rank>()
  let [next, rank, last] = [1, 0, -1]
  let passed = 0
  for (const { brand, at, isAside } of order) {
    const number = given.ranks.get(brand)
    if (number && !isAside) {
      ranks.set(brand, number)
      continue
    }
    // Who stands below a list comes after its last number.
    for (let ranking = given.rankings[passed]; ranking; ranking = given.rankings[++passed]) {
      if (!isAside && ranking.start >= at) break
      next = Math.max(next, ranking.last + 1)
    }
    if (at !== last) rank = next
    next = Math.max(next, rank) + 1
    last = at
    ranks.set(brand, { rank, rankBasis: 'text' })
  }
  return named.map((_, brand) => ranks.get(brand) ?? { rank: 1, rankBasis: 'text' })
}
