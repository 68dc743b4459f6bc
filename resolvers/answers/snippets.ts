import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Excerpt, excerptAround, plainText } from '../../core/text/excerpt.ts'
import type { BrandMatcher, Span } from '../../core/text/mentions.ts'
import type { Db } from '../../prisma/client.ts'
import { searchTerms } from '../shared/narrowing.ts'
import { matchersOf, mostAtOnce } from './places.ts'
import type { AnswerRow, LookedFor } from './whole.ts'

const snippetLength = 240

/** The first place of a search in a text, in any case. */
export function hitOf(text: string, search: string | null | undefined): Span | null {
  const hits = searchTerms(search).flatMap((term) => {
    const found = new RegExp(term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu').exec(text)
    return found ? [{ start: found.index, end: found.index + found[0].length }] : []
  })
  return hits.toSorted((a, b) => a.start - b.start)[0] ?? null
}

/** The brands that a list of answers was about, the own one unless it was about others. */
function brandsIn({ brands, sentiment }: LookedFor, ownId: string): readonly string[] {
  const asked = [...(brands?.all ?? []), ...(brands?.any ?? [])]
  if (sentiment?.brandId) asked.push(sentiment.brandId)
  return asked.length > 0 ? asked : [ownId]
}

function placeOfBrand(
  text: string,
  matcher: BrandMatcher | undefined,
  brandIds: readonly string[],
): Span | null {
  const found = matcher?.find(text).filter(({ brandId }) => brandIds.includes(brandId)) ?? []
  const spans = found.flatMap((naming) => naming.spans.slice(0, 1))
  return spans.toSorted((a, b) => a.start - b.start)[0] ?? null
}

/**
 * The part of each answer that shows why its list has it: around the first hit of the search, else around the first
 * mention of a brand of the filters or of the own brand, else its beginning.
 */
export async function snippetsOf(db: Db, answers: readonly AnswerRow[]): Promise<Excerpt[]> {
  const matchers = await matchersOf(db, [...new Set(answers.map(({ projectId }) => projectId))])
  const found: Excerpt[] = []
  let searched = 0
  for (const { projectId, text: markdown, lookedFor } of answers) {
    const text = plainText(markdown)
    const brandIds = brandsIn(lookedFor, projectId)
    const hit =
      hitOf(text, lookedFor.search) ?? placeOfBrand(text, matchers.get(projectId), brandIds)
    found.push(excerptAround(text, hit, snippetLength))
    searched += text.length
    if (searched > mostAtOnce) {
      searched = 0
      await nextTurn()
    }
  }
  return found
}
