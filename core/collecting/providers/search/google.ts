import { countryNumber } from '../../../countries.ts'
import type { Place } from '../place.ts'
import type {
  Outcome,
  ProviderAd,
  ProviderProduct,
  ProviderReply,
  ProviderUsage,
} from '../reply.ts'
import { outcomeOf, pagesOf } from '../reply.ts'

/** What vendors of search results have in common: pages of Google that show an answer. */

/** The surfaces of Google that a key may name as its model. */
export const surfaces = ['ai_overviews', 'ai_mode'] as const
export type Surface = (typeof surfaces)[number]

export const isSurface = (model: string): model is Surface =>
  (surfaces as readonly string[]).includes(model)

/** Where and in which language Google is asked without a place and a language: DataForSEO needs both. */
export const usual = { countryCode: 'US', language: 'en' } as const

/** Google's list of places is in ASCII, and writes "Hong Kong" where others write "Hong Kong SAR China". */
function asGoogleWrites(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ SAR China$/, '')
}

/** The place by its names, as Google's list of places has it: `Berlin,Berlin,Germany`. */
export function placeName({ countryCode, region, city }: Place): string {
  const country = new Intl.DisplayNames('en', { type: 'region' }).of(countryCode) ?? countryCode
  return [city, region, country].flatMap((name) => (name ? asGoogleWrites(name) : [])).join(',')
}

/** Google's number of a country; null where ISO gives the country no number. */
export function countryCriterion(countryCode: string): number | null {
  const number = countryNumber(countryCode)
  return number === null ? null : 2000 + number
}

/** The language of a page as Google names it: `de`, `zh-TW`, `pt-BR`. */
export function pageLanguage(tag: string): string {
  const { language, region } = new Intl.Locale(tag)
  if (language === 'zh') {
    return new Intl.Locale(tag).maximize().script === 'Hant' ? 'zh-TW' : 'zh-CN'
  }
  if (language === 'pt' && region) return region === 'BR' ? 'pt-BR' : 'pt-PT'
  return language === 'nb' || language === 'nn' ? 'no' : language
}

/** Pictures are no text: their descriptions are of other pages, and their addresses may hold the picture itself. */
export function withoutImages(markdown: string): string {
  const [first = '', ...others] = markdown.split('![')
  const rest = others.map((part) => {
    const image = /^[^\]]*\]\([^)]*\)/.exec(part)
    return image ? part.slice(image[0].length) : `![${part}`
  })
  return [first, ...rest].join('').trim()
}

interface Source {
  readonly url?: string | null | undefined
  readonly title?: string | null | undefined
}

/** What a page of Google shows. */
export interface Shown {
  readonly text: string
  readonly sources: readonly Source[]
  readonly products?: readonly ProviderProduct[]
  readonly ads?: readonly ProviderAd[]
  /** Default: by the text. */
  readonly outcome?: Outcome
  readonly reason?: string
  /** A time as the vendor writes it, such as `2025-06-24 14:36:54 +00:00`. */
  readonly at: string | null | undefined
  /** US dollars. */
  readonly cost?: number | null | undefined
}

/** The reply of a page. Google shows its sources beside the answer: all of them are cited. */
export function searchReply(shown: Shown): ProviderReply {
  const { text, sources, products, ads, outcome, reason, at, cost } = shown
  const time = Date.parse(at ?? '')
  const usage: ProviderUsage = {
    inputTokens: null,
    outputTokens: null,
    searches: null,
    cost: cost ?? null,
  }
  return {
    outcome: outcome ?? outcomeOf(text, false),
    reason: reason ?? '',
    text,
    model: '',
    searchQueries: [],
    usage,
    createdAt: Number.isNaN(time) ? null : Math.floor(time / 1000),
    pages: pagesOf(sources, []),
    ...(products && { products }),
    ...(ads && { ads }),
  }
}
