import { trainingCrawlers } from './crawlers.ts'
import { type Conditions, each, type Outcome, when } from './finding.ts'
import { hitsOf, isArticleLike, isNoindex, type ReadContext } from './site-context.ts'

const named = ({ n, first }: ReadContext['document']['invalidBlocks']): Outcome =>
  when(n > 0, { n, evidence: first })

/** No types and no broken block: nothing says what the page is. */
export const hasNoStructuredData = ({ document: { types, invalidBlocks } }: ReadContext) =>
  types.length === 0 && invalidBlocks.n === 0

/** Crawlers of answers that robots.txt keeps out of the page. */
export function blockedCrawlers({ answer, site }: ReadContext) {
  const url = new URL(answer.address)
  const rules = site.origins.get(url.origin)?.rules
  if (rules === undefined) return []
  return site.crawlers.flatMap((crawler) => {
    const { isAllowed, line } = rules.verdict(answer.address, crawler.name)
    if (isAllowed) return []
    const isHomeAllowed = rules.verdict(`${url.origin}/`, crawler.name).isAllowed
    return [{ ...crawler, line, isHomeAllowed }]
  })
}

/** The check that decides whether the others of content and AI readiness are made. */
export const javascriptCondition: Conditions<ReadContext> = {
  'content-needs-javascript': ({ document, page }) =>
    when(document.needsJavascript, { n: hitsOf(page), evidence: [{ count: document.words }] }),
}

/** Checks of AI readiness of a page that was read. */
export const readConditions: Conditions<ReadContext> = {
  'snippet-forbidden': (context) => {
    if (isNoindex(context)) return undefined
    const { directives } = context.document
    const directive = directives.find((name) => name === 'nosnippet' || name === 'max-snippet:0')
    return when(directive !== undefined, { evidence: [{ text: directive ?? '' }] })
  },
  'ai-meta-blocked': ({ document, site }) => {
    const ai = new Map(
      [...site.crawlers.map(({ name }) => name), ...trainingCrawlers].map((name) => [
        name.toLowerCase(),
        name,
      ]),
    )
    const named = new Map<string, string>()
    for (const { crawler, directive } of document.crawlerDirectives) {
      const name = ai.get(crawler)
      if (name !== undefined) named.set(name, directive)
    }
    const evidence = [...named].map(([crawler, text]) => ({ crawler, text }))
    if (!document.directives.includes('noai')) return each(evidence)
    return { n: Math.max(1, evidence.length), evidence: [{ text: 'noai' }, ...evidence] }
  },
}

/** Checks of AI readiness of an indexable page. */
export const indexableConditions: Conditions<ReadContext> = {
  'structured-data-missing': (context) => {
    const { kind } = context.document
    const isMarkedUp = kind === 'homepage' || kind === 'product' || isArticleLike(context)
    return when(isMarkedUp && hasNoStructuredData(context))
  },
  'structured-data-invalid': ({ document }) => named(document.invalidBlocks),
  'structured-data-incomplete': ({ document }) => named(document.missingProperties),
  'structured-data-contradicts-page': ({ document }) => named(document.contradictions),
  'date-missing': (context) => when(isArticleLike(context) && context.document.newestDate === null),
  'ai-bots-blocked-page': (context) =>
    each(
      blockedCrawlers(context)
        .filter(({ isHomeAllowed }) => isHomeAllowed)
        .map(({ name, line }) => ({ crawler: name, ...(line === null ? {} : { line }) })),
    ),
  'main-content-unmarked': ({ document }) => when(!document.hasMain && document.words >= 100),
  'no-headings-in-long-text': ({ document }) =>
    when(document.mainWords >= 600 && !document.hasSubheadings, { n: document.mainWords }),
  'question-without-answer': ({ document }) => named(document.unansweredQuestions),
  'brand-not-named': ({ document: { kind, namesBrand } }) =>
    namesBrand === null
      ? undefined
      : when(['homepage', 'product', 'comparison'].includes(kind) && !namesBrand),
}
