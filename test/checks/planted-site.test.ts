import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checks } from '../../core/checks/checks.ts'
import { auditScores } from '../../core/checks/scores.ts'
import { normaliseUrl } from '../../core/sites/urls.ts'
import type { OriginFacts, PageFacts, SitemapFacts } from '../../crawler/checks/facts.ts'
import { judge } from '../../crawler/checks/judge.ts'
import type { PageReading, RobotsReading, TargetReading } from '../../crawler/reading.ts'
import { parseRobots } from '../../crawler/robots/robots.ts'
import { cases, site } from '../kit/audit/cases.ts'
import { see } from '../kit/audit/reader.ts'
import {
  type AuditSite,
  auditedAddresses,
  sitemapAddresses,
  siteTruthOf,
  startAuditSite,
  truthOf,
} from '../kit/audit/site.ts'
import { factsAt, siteFactsOf } from '../kit/audit/site-facts.ts'

let state: AuditSite
beforeAll(async () => {
  state = await startAuditSite()
})
afterAll(() => state.close())
beforeEach(() => {
  state.mended.clear()
  state.sitemap = 'unnamed'
})

async function robotsAt(origin: string): Promise<RobotsReading> {
  const address = `${origin}/robots.txt`
  const seen = await see(state, address, [])
  const answers = { read: seen.status === 200, absent: seen.status === 404 }
  const failed = seen.outcome.kind === 'certificate' ? 'certificate' : 'unreachable'
  return {
    origin,
    address,
    state: answers.read ? 'read' : answers.absent ? 'absent' : failed,
    status: seen.status,
    detail: seen.outcome.kind,
    text: answers.read ? seen.text : '',
    isTooLong: false,
  }
}

async function originFacts(origin: string): Promise<OriginFacts> {
  const robots = await robotsAt(origin)
  const rules = parseRobots(robots)
  const allowed = async (path: string) =>
    rules.verdict(origin + path, 'SightlineBot').isAllowed ? see(state, origin + path, []) : null
  const [llms, probe] = [await allowed('/llms.txt'), await allowed('/sightline-probe-0')]
  const address = `${origin}/llms.txt`
  return {
    origin,
    robots,
    llms:
      llms?.status == null
        ? null
        : {
            address,
            hops: [],
            outcome: {
              kind: 'answered',
              status: llms.status,
              text: llms.status === 200 ? llms.text : '',
              isTooLong: false,
            },
          },
    probe:
      probe?.status == null
        ? null
        : {
            address: `${origin}/sightline-probe-0`,
            status: probe.status,
            document: probe.page?.document ?? null,
          },
  }
}

async function pageAt(address: string, origins: readonly OriginFacts[], withFacts: boolean) {
  const url = normaliseUrl(address) ?? address
  const origin = origins.find((one) => one.origin === new URL(address).origin)
  const page = (
    hops: PageReading['hops'],
    outcome: PageReading['outcome'],
    document: PageFacts['document'] = null,
  ): PageFacts => ({
    pageId: address,
    url,
    reading: { address, url, hops, outcome },
    document,
    ...factsAt(state, address, withFacts),
  })
  if (origin?.robots.state === 'unreachable') {
    return page([], { kind: 'robots_unreachable', robots: origin.robots.address })
  }
  const rules = origin && parseRobots(origin.robots)
  const verdict = rules?.verdict(address, 'SightlineBot')
  if (rules && verdict && !verdict.isAllowed && origin.robots.state === 'read') {
    return rules.isNamed('SightlineBot')
      ? page([], { kind: 'skipped', reason: 'robots', detail: '' })
      : page([], {
          kind: 'robots_blocked',
          address,
          robots: origin.robots.address,
          line: verdict.line ?? 0,
        })
  }
  const seen = await see(state, address, ['Acme'])
  return page(seen.hops, seen.outcome, seen.page?.document)
}

async function targetsOf(pages: readonly PageFacts[]) {
  const audited = new Set(pages.map(({ url }) => url))
  const wanted = new Set(
    pages.flatMap(({ document }) => [
      ...(document?.links ?? []),
      ...(document?.canonicals ?? []).filter((address) => address.startsWith(site)),
    ]),
  )
  const targets = new Map<string, TargetReading>()
  for (const address of wanted) {
    const url = normaliseUrl(address) ?? address
    if (audited.has(url)) continue
    const { hops, outcome } = await see(state, address, [])
    if (!('answer' in outcome)) continue
    const { status, address: end, url: endUrl } = outcome.answer
    const answered = { kind: 'answered', status, address: end, url: endUrl } as const
    targets.set(address, { address, url, hops, outcome: answered })
  }
  return targets
}

function sitemapFacts(): SitemapFacts {
  const urls = sitemapAddresses(state).length
  const isNamed = state.sitemap === 'named' || state.sitemap === 'broken' || state.mended.has('all')
  const address = state.sitemap === 'broken' ? `${site}/lost.xml` : `${site}/sitemap.xml`
  const status = state.sitemap === 'broken' || state.sitemap === 'none' ? 404 : 200
  return {
    urls,
    withoutLastmod: state.mended.has('all') ? 0 : urls,
    address: urls === 0 ? null : address,
    refreshFault: null,
    files: [{ address, status, isNamed: isNamed && state.sitemap !== 'none' }],
  }
}

/** Reads and judges the whole site. */
async function audit(withFacts: boolean, addresses: readonly string[] = auditedAddresses) {
  const names = [...new Set(addresses.map((address) => new URL(address).origin))]
  const origins = await Promise.all(names.map(originFacts))
  const pages = await Promise.all(addresses.map((one) => pageAt(one, origins, withFacts)))
  const targets = await targetsOf(pages)
  const facts = siteFactsOf(state, addresses, withFacts)
  return judge({ ...facts, origins, targets, sitemap: sitemapFacts() }, pages)
}

type Audit = Awaited<ReturnType<typeof audit>>

/** Faults by page and origin, of pages and origins that have any. */
const found = ({ pages, site }: Audit) =>
  [
    ...pages.map((one) => [one.pageId, one.findings] as const),
    ...site.map((one) => [one.origin, one.findings] as const),
  ].flatMap(([name, findings]) =>
    findings.length > 0 ? [[name, findings.map(({ check }) => check).sort()]] : [],
  )

const truth = ({ pages, site }: Audit, withFacts: boolean) =>
  [
    ...pages.map(({ pageId }) => [pageId, truthOf(state, pageId, withFacts)] as const),
    ...site.map(({ origin }) => [origin, siteTruthOf(state, origin, withFacts)] as const),
  ].flatMap(([name, faults]) => (faults.length > 0 ? [[name, [...faults].sort()]] : []))

describe('the planted site', () => {
  test('has every check of the catalogue, in one state of its sitemap or another', () => {
    const planted = new Set(auditedAddresses.flatMap((address) => truthOf(state, address, true)))
    for (const address of auditedAddresses)
      for (const id of truthOf(state, address, false)) planted.add(id)
    for (const sitemap of ['unnamed', 'broken', 'none'] as const) {
      state.sitemap = sitemap
      for (const address of auditedAddresses) {
        for (const id of siteTruthOf(state, new URL(address).origin, true)) planted.add(id)
      }
    }
    expect(checks.map(({ id }) => id).filter((id) => !planted.has(id))).toEqual([])
    expect(cases.length).toBeGreaterThanOrEqual(75)
  })

  test('has exactly the faults that it lists, and no fault more, with facts and without', async () => {
    const withFacts = await audit(true)
    expect(found(withFacts)).toEqual(truth(withFacts, true))
    const plain = await audit(false)
    expect(found(plain)).toEqual(truth(plain, false))
  }, 120_000)

  test.each(['named', 'broken', 'none'] as const)(
    'has the faults of a sitemap that is %s',
    async (sitemap) => {
      state.sitemap = sitemap
      const verdict = await audit(false, [`${site}/`])
      const faults = verdict.site.flatMap(({ findings }) => findings.map(({ check }) => check))
      expect(faults.sort()).toEqual(siteTruthOf(state, site, false).sort())
    },
  )

  test('has no fault once it is mended, but a host without https and an untrusted certificate', async () => {
    const before = await audit(true)
    state.mended.add('all')
    const after = await audit(true)
    expect(found(after)).toEqual(truth(after, true))
    const scores = ({ pages, site }: Audit) =>
      auditScores(
        pages.map(({ standing, findings }) => ({
          standing,
          checks: findings.map(({ check }) => check),
        })),
        site.flatMap(({ findings }) => findings.map(({ check }) => check)),
      )
    expect(scores(before)?.overall ?? 100).toBeLessThan(scores(after)?.overall ?? 0)
  }, 120_000)
})
