import { isOfHost } from '../targets.ts'
import { type Conditions, each, when } from './finding.ts'
import { isNoindex, otherCanonical, type ReadContext } from './site-context.ts'

const canonical = (context: ReadContext, leads: 'off-site' | 'elsewhere' | 'nowhere') => {
  const other = otherCanonical(context)
  return when(other?.leads === leads, { evidence: [{ address: other?.address ?? '' }] })
}

const noindex = (context: ReadContext, inSitemap: boolean) =>
  when(isNoindex(context) && context.page.inSitemap === inSitemap)

/** Own links of a page with one of the states. A link to the page itself is none, nor one to what its host made. */
function linksThat({ document, page, site }: ReadContext, ...states: readonly string[]) {
  const found = document.links.flatMap((address) => {
    if (site.index.urlOf(address) === page.url || isOfHost(address)) return []
    const { state, status } = site.target(address)
    return states.includes(state) ? [{ address, ...(status === null ? {} : { status }) }] : []
  })
  return each(found)
}

/** Technical checks of a page that was read. */
export const readConditions: Conditions<ReadContext> = {
  'meta-refresh-redirect': ({ document: { refresh } }) =>
    when(refresh !== null, { evidence: [{ address: refresh ?? '' }] }),
  'charset-conflict': ({ document: { charsets } }) =>
    when(charsets.header !== null && charsets.meta !== null && charsets.header !== charsets.meta, {
      evidence: [{ text: `${charsets.header} and ${charsets.meta}` }],
    }),
  'uncompressed-html': ({ answer }) =>
    when(answer.bytes > 50_000 && (answer.contentEncoding ?? 'identity') === 'identity', {
      evidence: [{ count: answer.bytes }],
    }),
  'slow-response': ({ answer: { firstByteMs } }) =>
    when(firstByteMs.length >= 2 && firstByteMs.slice(-2).every((ms) => ms > 1500), {
      n: Math.round(Math.min(...firstByteMs.slice(-2))),
      evidence: firstByteMs.slice(-2).map((ms) => ({ count: Math.round(ms) })),
    }),
  'mixed-content': ({ document: { mixedContent } }) =>
    when(mixedContent.n > 0, { n: mixedContent.n, evidence: mixedContent.first }),
  'noindex-in-sitemap': (context) => noindex(context, true),
  noindex: (context) => noindex(context, false),
  'canonical-missing': ({ document }) => when(document.canonicals.length === 0),
  'canonical-multiple': ({ document: { canonicals } }) =>
    canonicals.length > 1 ? each(canonicals.map((address) => ({ address }))) : null,
  'canonical-broken': (context) => canonical(context, 'nowhere'),
  'canonical-off-site': (context) => canonical(context, 'off-site'),
  'canonical-elsewhere': (context) => canonical(context, 'elsewhere'),
  'broken-internal-links': (context) => linksThat(context, 'missing', 'broken'),
  'links-to-redirects': (context) => linksThat(context, 'redirects'),
  'language-missing': ({ document }) =>
    when(!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(document.language?.trim() ?? '')),
  'hreflang-invalid': ({ document: { hreflangFault } }) =>
    when(hreflangFault !== null, { evidence: [{ text: hreflangFault ?? '' }] }),
  'viewport-missing': ({ document }) => when(!document.hasViewport),
}

/** Technical checks of an indexable page. */
export const indexableConditions: Conditions<ReadContext> = {
  'orphan-page': ({ page, site }) => {
    if (!site.facts.isWholeSite) return undefined
    return when(new URL(page.url).pathname !== '/' && !site.index.isLinked(page))
  },
  'page-not-in-sitemap': ({ page, site }) =>
    site.facts.sitemap.urls > 0 ? when(!page.inSitemap) : null,
}
