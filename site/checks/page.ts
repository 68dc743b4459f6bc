import {
  type Check,
  type CheckId,
  checks,
  type Finding,
  type Standing,
  type Verdict,
} from '../../core/checks/checks.ts'
import * as ai from './ai-readiness.ts'
import { type Blocker, blockingFault } from './blocking.ts'
import * as cited from './cited.ts'
import { contentConditions, type IndexableContext } from './content.ts'
import type { PageFacts } from './facts.ts'
import { type Conditions, findingOf, type Outcome } from './finding.ts'
import { citingOf, type ReadContext, type SiteContext } from './site-context.ts'
import * as technical from './technical.ts'

export interface PageVerdict extends Verdict {
  readonly pageId: string
  readonly standing: Standing
}

const pageChecks = checks.filter((check) => check.of !== 'site')
const blocking = pageChecks.filter((check) => check.of === 'page' && check.mark === 'blocks')
const idsOf = (list: readonly Check[]) => list.map(({ id }) => id)

const nothing = { findings: [], evaluated: [], superseded: [] } as const

/** The verdict of a page that cannot be read: its fault hides all others. */
function blockedVerdict(page: PageFacts, { check, found }: Blocker): Verdict {
  const citing = citingOf(page)
  const stands = blocking.find(({ id }) => id === 'cited-page-missing')
  const isCited = citing > 0 && stands?.insteadOf.includes(check) === true
  const finding = isCited
    ? findingOf('cited-page-missing', { n: citing, evidence: found.evidence ?? [] })
    : findingOf(check, found)
  return {
    findings: [finding],
    evaluated: [finding.check],
    superseded: idsOf(pageChecks).filter((id) => id !== finding.check),
    alsoFailed: isCited ? [check] : [],
  }
}

/** What conditions decided, with the replaced findings taken out. */
function verdictOf(decided: readonly (readonly [CheckId, Outcome])[]): Verdict {
  const known = decided.filter(([, outcome]) => outcome !== undefined)
  const found = known.flatMap(([id, outcome]) => (outcome ? [findingOf(id, outcome)] : []))
  const ids = new Set(found.map(({ check }) => check))
  const superseded = new Set(
    pageChecks.filter(({ id }) => ids.has(id)).flatMap(({ insteadOf }) => insteadOf),
  )
  return {
    findings: found.filter(({ check }) => !superseded.has(check)),
    evaluated: known.map(([id]) => id),
    superseded: [...superseded],
    alsoFailed: [...ids].filter((id) => superseded.has(id)),
  }
}

const decide = <Facts>(conditions: Conditions<Facts>, facts: Facts) =>
  Object.entries(conditions).map(([id, condition]) => [id as CheckId, condition(facts)] as const)

const allFalse = (ids: readonly CheckId[]) => ids.map((id) => [id, null] as const)

/** The redirects of a page that ends at an address that answers. */
function redirectOutcomes(page: PageFacts, isElsewhere: boolean) {
  const { hops } = page.reading
  const citing = citingOf(page)
  const evidence = hops.map(({ to, status }) => ({ address: to, status }))
  const target = evidence.slice(-1)
  return [
    ['redirect-chain', hops.length >= 2 ? { n: hops.length, evidence } : null],
    ['redirected-page', isElsewhere && hops.length === 1 ? { evidence: target } : null],
    ['cited-page-redirects', isElsewhere && citing > 0 ? { n: citing, evidence: target } : null],
  ] as const
}

/** The page that a reading shows at its own URL; null for a page that is not read. */
export function readContext(page: PageFacts, site: SiteContext): ReadContext | null {
  const { outcome } = page.reading
  if (outcome.kind !== 'read' || page.document === null) return null
  if (outcome.answer.url !== page.url || blockingFault(page, site) !== null) return null
  const { answer } = outcome
  return { page, answer, document: page.document, site, citing: citingOf(page) }
}

/** All checks of a page that was read. `context` is null where the page is not indexable. */
function readOutcomes(read: ReadContext, indexable: IndexableContext | null, competitor: Outcome) {
  const javascript = decide(ai.javascriptCondition, read)
  const isEmpty = javascript.some(([, outcome]) => outcome)
  return [
    ...javascript,
    ...decide(technical.readConditions, read),
    ...(indexable === null ? [] : decide(technical.indexableConditions, indexable)),
    ...(isEmpty ? [] : decide(ai.readConditions, read)),
    ...(isEmpty ? [] : decide(cited.readConditions, read)),
    ...(isEmpty || indexable === null
      ? []
      : [
          ...decide(contentConditions, indexable),
          ...decide(ai.indexableConditions, indexable),
          ...decide(cited.indexableConditions, indexable),
          ['competitor-cited-for-own-topic', competitor] as const,
        ]),
  ]
}

/** Judges a page. `read` is null for a page that was not read, `indexable` for one that is not indexable. */
export function judgePage(
  page: PageFacts,
  site: SiteContext,
  read: ReadContext | null,
  indexable: IndexableContext | null,
  competitor: Outcome,
): PageVerdict {
  const { pageId } = page
  const { outcome } = page.reading
  if (outcome.kind === 'skipped') return { pageId, standing: 'unjudged', ...nothing }
  if (outcome.kind === 'robots_unreachable') return { pageId, standing: 'closed', ...nothing }
  const blocker = blockingFault(page, site)
  if (blocker !== null) return { pageId, standing: 'judged', ...blockedVerdict(page, blocker) }

  const isElsewhere = 'answer' in outcome && outcome.answer.url !== page.url
  const readable = allFalse(idsOf(blocking))
  const redirects = redirectOutcomes(page, isElsewhere)
  const rest = read === null ? [] : readOutcomes(read, indexable, competitor)
  const verdict = verdictOf([...readable, ...redirects, ...rest])
  return { pageId, standing: standingOf(verdict.findings, isElsewhere, read !== null), ...verdict }
}

function standingOf(findings: readonly Finding[], isElsewhere: boolean, isRead: boolean): Standing {
  const leads = ['canonical-elsewhere', 'cited-url-not-canonical']
  if (isElsewhere || findings.some(({ check }) => leads.includes(check))) return 'elsewhere'
  return isRead ? 'judged' : 'unjudged'
}
