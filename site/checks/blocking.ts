import type { CheckId } from '../../core/checks/checks.ts'
import type { PageFacts } from './facts.ts'
import type { Found } from './finding.ts'
import type { SiteContext } from './site-context.ts'

export interface Blocker {
  readonly check: CheckId
  readonly found: Found
}

const blocker = (check: CheckId, found: Found = {}): Blocker => ({ check, found })

function byStatus(status: number, contentType: string | null, looksLikeHtml: boolean) {
  const found = { evidence: [{ status }] }
  if (status >= 500) return blocker('server-error', found)
  if (status === 404 || status === 410) return blocker('page-not-found', found)
  if (status >= 400) return blocker('client-error', found)
  if (status !== 200 || !looksLikeHtml) return null
  return blocker('wrong-content-type', {
    evidence: [{ text: contentType === null ? 'absent' : `\`${contentType}\`` }],
  })
}

const speaksOfAbsence =
  /\b404\b|not found|page does not exist|nicht gefunden|introuvable|no encontrad/i

/** A page that answers 200 and says that it is missing. */
function soft404(page: PageFacts, site: SiteContext): Blocker | null {
  const { document, reading } = page
  if (reading.outcome.kind !== 'read' || document === null) return null
  const { answer } = reading.outcome
  if (answer.url !== page.url) return null
  const telling = [document.title ?? '', ...document.h1].find((text) => speaksOfAbsence.test(text))
  if (document.words < 150 && telling !== undefined) {
    return blocker('soft-404', { evidence: [{ text: telling }] })
  }
  // The home page is no missing page, though missing pages may show it. Pages that scripts fill are alike.
  const { origin, pathname } = new URL(answer.address)
  if (pathname === '/' || document.mainWords === 0 || document.needsJavascript) return null
  const probe = site.origins.get(origin)?.probe
  return probe?.document?.mainKey === document.mainKey
    ? blocker('soft-404', { evidence: [{ address: probe.address, status: probe.status }] })
    : null
}

/** The fault for which a page cannot be read; null where it can, or where it was not judged. */
export function blockingFault(page: PageFacts, site: SiteContext): Blocker | null {
  const { outcome } = page.reading
  switch (outcome.kind) {
    case 'unreachable':
      return blocker('unreachable', { evidence: [{ text: outcome.detail || outcome.cause }] })
    case 'certificate':
      return blocker('certificate-invalid', { evidence: [{ text: outcome.detail }] })
    case 'redirect_loop':
      return blocker('redirect-loop', {
        evidence: [...page.reading.hops.map(({ to }) => ({ address: to }))],
      })
    case 'redirect_off_site':
      return blocker('redirect-off-site', { evidence: [{ address: outcome.address }] })
    case 'robots_blocked':
      return blocker('robots-blocks-page', {
        evidence: [{ address: outcome.robots, line: outcome.line }],
      })
    case 'too_large':
      return blocker('page-too-large', { evidence: [{ address: outcome.answer.address }] })
    case 'too_deep':
      return blocker('dom-too-deep', { evidence: [{ text: outcome.limit }] })
    case 'answered': {
      const { status, contentType, isHtml, looksLikeHtml } = outcome.answer
      return byStatus(status, contentType, looksLikeHtml && !isHtml)
    }
    case 'read':
      return soft404(page, site)
    default:
      return null
  }
}
