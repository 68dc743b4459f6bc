import { type RegistryType, registryType } from './source-types.ts'
import { domainOf } from './urls.ts'

export const contentTypes = [
  'article',
  'listicle',
  'how_to',
  'comparison',
  'product',
  'category',
  'homepage',
  'forum_thread',
  'video',
  'review',
  'documentation',
  'other',
] as const

/** Content type of a cited URL. */
export type ContentType = (typeof contentTypes)[number]

/** A row matches when all its conditions match. `path` is matched against host and path in lower case. */
interface Rule {
  readonly type: ContentType
  readonly path?: RegExp
  readonly query?: RegExp
  readonly title?: RegExp
  readonly source?: RegistryType
}

/** A folder of the path is one of the words, and is not the last segment. */
const folder = (...words: string[]) => new RegExp(`/(?:${words.join('|')})/.`)
/** The whole path is one of the words, with or without a language prefix. */
const index = (...words: string[]) => new RegExp(`^[^/]+(?:/[a-z]{2})?/(?:${words.join('|')})$`)
/** The last segment of the path is one of the words. */
const last = (...words: string[]) => new RegExp(`/(?:${words.join('|')})(?:\\.[a-z]+)?$`)
/** A segment of the path begins with one of the words. */
const opens = (...words: string[]) => new RegExp(`/(?:${words.join('|')})[-_]`)
/** A segment of the path contains one of the words, between hyphens or at an end. */
const names = (...words: string[]) => new RegExp(`[/_-](?:${words.join('|')})(?:[/._-]|$)`)

const language =
  '(?:en|de|fr|es|it|pt|nl|pl|sv|se|da|dk|no|nb|fi|cs|hu|ro|el|tr|ru|ar|he|ja|jp|ko|kr|zh|cn|tw' +
  '|hk|sg|th|vi|id|us|uk|gb|ie|ca|au|nz|in|at|ch|be|br|mx|eu|global|int)'
const frontPage = new RegExp(
  `^[^/]+/(?:${language}(?:[-_/][a-z]{2})?)?/?(?:(?:index|home|default)(?:\\.[a-z]+)?)?$`,
)
const longName = /-[^/-]*-[^/-]*-[^/]*$/
const countedThings =
  '(?:ways|things|reasons|tips|tricks|ideas|examples|mistakes|alternatives|tools|brands|products)'

/** Characters read of a URL or a title: some patterns take quadratic time. */
const readLength = 1000

/** The first matching row decides: explicit URLs, then titles, then common URL patterns. */
const rules: readonly Rule[] = [
  { type: 'homepage', path: frontPage, query: /^$/ },

  { type: 'video', path: /youtube\.com\/(?:watch|shorts\/|live\/|embed\/|playlist)|youtu\.be\/./ },
  { type: 'video', path: /(?:vimeo\.com\/\d|twitch\.tv\/[^/]+\/clip\/)/ },
  { type: 'video', path: folder('videos?', 'reels?', 'mediathek') },

  { type: 'forum_thread', path: folder('threads?', 'comments', 'discussions?', 'questions/\\d+') },
  { type: 'forum_thread', path: /\/(?:showthread|viewtopic)\.php|\/t\/[^/]+\/\d+|\/t[dh]-p\/\d/ },
  { type: 'forum_thread', path: /\/(?:forums?|groups)\/(?:.*\d{3}|topic\/.)|\/topic\/\d/ },
  { type: 'forum_thread', path: /ycombinator\.com\/item$/ },
  { type: 'forum_thread', path: /-[^/-]*-[^/-]*-|\/\d{3,}/, source: 'forum' },

  { type: 'documentation', path: /^(?:docs?|developers?|api|support|help|kb|wiki|manuals?)\./ },
  { type: 'documentation', path: folder('docs?', 'documentation', '(?:api-)?reference') },
  { type: 'documentation', path: folder('manuals?', 'user-?guides?', 'knowledge-?base', 'kb') },
  { type: 'documentation', path: folder('support', 'help(?:-cent(?:er|re))?', 'hilfe', 'aide') },
  { type: 'documentation', path: folder('ayuda', 'hc', 'faqs?') },
  { type: 'documentation', path: /^(?:github|gitlab)\.com\/[^/]+\/[^/]+|^learn\.microsoft\.com\// },

  { type: 'product', path: /\/(?:dp|gp\/product|itm|ip|apd)\/.|\/\d+\.p$/ },
  {
    type: 'category',
    path: index('reviews?', 'products?', 'blogs?', 'news', 'articles?', 'guides?'),
  },
  { type: 'review', path: last('reviews?') },
  { type: 'product', path: /\/(?:products?|produkte?)\/(?:[^/]+\/)*(?!best-|top-)[^/]+$/ },
  { type: 'category', path: /\/collections\/.|amazon\.[a-z.]+\/(?:[^/]+\/)?(?:s|b|zgbs)(?:\/|$)/ },

  { type: 'comparison', path: /[^/]-(?:vs|versus)-/ },
  { type: 'comparison', path: folder('compare', 'comparisons?', 'vergleich', 'comparatifs?') },
  { type: 'how_to', path: opens('how-(?:to|do|can)', 'so-geht', 'wie', 'comment', 'como') },
  { type: 'how_to', path: names('how-to-[^/]+', 'step-by-step', 'tutorials?', 'anleitung') },

  { type: 'listicle', path: /[/_-]best[-_](?!buy(?:[/_-]|$)|sell|western|of-breed|practices?)/ },
  { type: 'listicle', path: folder('best', 'best-picks', 'rankings?', 'top-?\\d*', 'roundups?') },
  { type: 'listicle', path: last('best', 'top-?\\d+') },
  { type: 'listicle', path: names('top-?\\d+', 'rankings?', 'gift-guide', 'roundup') },
  { type: 'listicle', path: opens('top', 'most', '(?:die-)?besten?', 'bestenliste') },
  { type: 'listicle', path: names('besten', 'meilleure?s?', 'mejores', 'migliori', 'melhores') },
  { type: 'listicle', path: new RegExp(`/\\d{1,3}-(?:[^/]*-)?${countedThings}(?:[/._-]|$)`) },

  {
    type: 'how_to',
    path: names('(?:buying|buyers?|beginners?|shopping)-guide', 'kaufberatung'),
  },
  { type: 'how_to', path: names('guide-d-?achat', 'guia-de-compras?', 'what-to-look-for', 'diy') },
  { type: 'how_to', path: folder('recipes?', 'rezepte?', 'recettes?', 'recetas?', 'how-?to') },
  { type: 'comparison', path: names('compar(?:ison|isons|ed|atif|ativa)', '[a-z]*vergleich') },
  { type: 'comparison', path: names('alternatives?') },

  {
    type: 'review',
    path: folder('reviews?', 'avis', 'biz', 'tests?', 'testberichte?', 'hands-on'),
  },
  {
    type: 'review',
    path: names('reviews?', 'testbericht', 'im-test', 'erfahrung(?:en)?', 'resena'),
  },
  { type: 'review', path: names('avis', 'analisis', 'opiniones', 'hands-on', 'tested') },

  { type: 'product', path: folder('produits?', 'productos?', 'produtos?') },
  { type: 'product', path: folder('p', 'pd', 'pdp', 'prod', 'item', 'buy', 'pl', 'vehicles') },
  { type: 'product', path: /[-/]p-?\d{4,}(?:\.html?)?$/ },
  { type: 'category', path: folder('categor(?:y|ies|ie|ia|ias)', 'kategorien?') },
  {
    type: 'category',
    path: folder('c', 'b', 'f', 'th', 'cat', 'dept', 'browse', 'catalog(?:ue)?'),
  },
  { type: 'category', path: folder('shop', 'store', 's', 'tags?', 'topics?', 'search', 'r') },
  {
    type: 'category',
    path: last('shop', 'store', 's', 'search(?:page)?', 'collections', 'r/[^/]+'),
  },
  { type: 'category', query: /[?&](?:q|k|query|search|search_query|keywords?|find_desc)=/ },

  { type: 'comparison', title: /\b(?:vs\.?|versus)\s|\bcompar(?:ed|ison)\b|\bvergleich\b/i },
  { type: 'how_to', title: /^how (?:to|do)\b|\bhow to choose\b|step[- ]by[- ]step|\btutorial\b/i },
  { type: 'how_to', title: /^(?:so geht|wie (?:man|du|sie)|comment (?:choisir|faire)|cómo) /i },
  {
    type: 'listicle',
    title: /^(?:the |our )?(?:\d+ )?(?:very )?best (?!buy\b|western|sellers?\b)\S+ \S/i,
  },
  {
    type: 'listicle',
    title: /\btop[- ]\d+\b|^(?:die |les |los |las )?(?:\d+ )?(?:besten|meilleur|mejores)/i,
  },
  { type: 'listicle', title: new RegExp(`^\\d{1,3} (?:\\S+ ){0,4}${countedThings}\\b`, 'i') },
  { type: 'review', title: /\breview(?:ed)?\b|\bim test\b|\btestbericht\b|\breseña\b/i },

  { type: 'article', path: /\/(?:19|20)\d\d\/|\/wiki\/./ },
  {
    type: 'article',
    path: folder('blogs?', 'news', 'articles?', 'artikel', 'story', 'stories', 'posts?'),
  },
  {
    type: 'article',
    path: folder('guides?', 'magazine?', 'features?', 'opinion', 'pulse', 'journal'),
  },
  {
    type: 'article',
    path: folder('actualites?', 'noticias?', 'ratgeber', 'learn', 'resources', 'hub'),
  },
  { type: 'article', path: /\/[^/]*[-\d]/, source: 'editorial' },
  { type: 'article', path: /\/[^/]+-[^/]*$/, source: 'review' },
  { type: 'product', path: /^[^/]+\/[^/]*-[^/]*-[^/]*-[^/]*$/, source: 'third_party' },
  { type: 'article', path: longName, source: 'social' },
  { type: 'article', path: longName, source: 'institutional' },
  { type: 'article', path: longName, source: 'other' },
]

/**
 * The content type of a normalised URL: decided by the URL, else by the title, else by the site.
 * Patterns cover English, and common words of German, French and Spanish.
 */
export function contentType(url: string, title?: string | null): ContentType {
  const start = url.indexOf('//') + 2
  const address = url.slice(start, start + readLength).replace(/^www\./, '')
  const mark = address.indexOf('?')
  const path = (mark < 0 ? address : address.slice(0, mark)).toLowerCase()
  const query = mark < 0 ? '' : address.slice(mark)
  const host = path.slice(0, Math.max(path.indexOf('/'), 0)).replace(/:\d+$/, '')
  const heading = title?.slice(0, readLength) ?? ''
  const source = registryType(domainOf(host))
  const met = rules.find(
    (rule) =>
      (rule.source === undefined || rule.source === source) &&
      (rule.path === undefined || rule.path.test(path)) &&
      (rule.query === undefined || rule.query.test(query)) &&
      (rule.title === undefined || rule.title.test(heading)),
  )
  return met?.type ?? 'other'
}
