import { toneThreshold } from '../../core/text/sentiment.ts'
import { addressesOf } from '../../warehouse/cited-pages.sql.ts'
import { ratedMentions } from './judged.sql.ts'
import type { Narrowing } from './narrowing.ts'
import { caseFold } from './spellings/case-fold.sql.ts'

/** The facts that a statement over answers reads: `where` covers them, and `analysed` selects their mentions. */
interface Facts {
  readonly where: string
  readonly analysed: string
}

const tone = `multiIf(sentiment >= ${toneThreshold}, 'positive', sentiment > -${toneThreshold}, 'neutral', 'negative')`

const all = '{allBrands:Array(UUID)}'

/** `AND …` for a statement over `answers`: those that pass all of a narrowing. `narrowingOf` has the values. */
export function narrowedBy(
  { own, brands, tones, terms, isIn }: Narrowing,
  { where, analysed }: Facts,
): string {
  const within = (table: string, condition: string) =>
    `id IN (SELECT answer_id FROM ${table} WHERE ${where} AND ${condition})`
  const mentioning = (condition: string) => within('mentions', `${analysed} AND ${condition}`)
  const clauses = [
    isIn.prompts && 'prompt_id IN {ofPrompts:Array(UUID)}',
    own === true && mentioning('is_own = 1'),
    own === false && `NOT ${mentioning('is_own = 1')}`,
    brands.all &&
      mentioning(
        `brand_id IN ${all} GROUP BY answer_id HAVING uniqExact(brand_id) = length(${all})`,
      ),
    brands.any && mentioning('brand_id IN {anyBrands:Array(UUID)}'),
    brands.none && `NOT ${mentioning('brand_id IN {noBrands:Array(UUID)}')}`,
    tones &&
      `id IN (SELECT answer_id FROM ${ratedMentions(where, tones.isJudged)} AND ${analysed}
         AND ${tones.isOwn ? 'is_own = 1' : 'brand_id = {toneBrand:UUID}'} AND sentiment IS NOT NULL AND ${tone} IN {tones:Array(String)})`,
    isIn.domains &&
      within('citations', 'domain IN {citedDomains:Array(String)} AND first_of_domain = 1'),
    isIn.urls &&
      within(
        'citations',
        `domain IN {domainsOfUrls:Array(String)} AND url IN ${addressesOf('{citedUrls:Array(String)}')}`,
      ),
    isIn.queries &&
      within('fanout_queries', `${caseFold('query')} = ${caseFold('{subQuery:String}')}`),
    // Texts are long: they come last.
    ...terms.map((_, i) => `positionCaseInsensitiveUTF8(text, {term${i}:String}) > 0`),
  ]
  return clauses
    .filter(Boolean)
    .map((clause) => `AND ${clause}`)
    .join(' ')
}
