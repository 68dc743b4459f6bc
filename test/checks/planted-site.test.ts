import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checks } from '../../core/checks/checks.ts'
import { auditScores } from '../../core/checks/scores.ts'
import { parsePrivateHosts } from '../../core/sites/private-hosts.ts'
import type { PageFacts, SitemapFacts } from '../../crawler/checks/facts.ts'
import { judge } from '../../crawler/checks/judge.ts'
import { readOrigin } from '../../crawler/origin-facts.ts'
import { createPageParser } from '../../crawler/page/parser.ts'
import type { TargetReading } from '../../crawler/reading.ts'
import { openSite, type Site } from '../../crawler/site.ts'
import { createTargetChoice } from '../../crawler/targets.ts'
import { userAgent } from '../../crawler/user-agent.ts'
import { cases, site } from '../kit/audit/cases.ts'
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
const parser = createPageParser({ maxMs: 60_000, maxMb: 512, threads: 1 })
beforeAll(async () => {
  state = await startAuditSite()
})
afterAll(() => Promise.all([state.close(), parser.close()]))
beforeEach(() => {
  state.mended.clear()
  state.sitemap = 'unnamed'
})

const now = new Date('2026-06-15T12:00:00Z')

/** The site as an audit asks it. Only the hosts of the site are there. */
function openPlanted(): Site {
  const names = [{ text: 'Acme', caseSensitive: false }]
  return openSite({
    ownDomains: ['shop.test'],
    brand: { id: 'own', isOwn: true, names, domains: [] },
    now,
    privateHosts: parsePrivateHosts(state.privateHosts) ?? [],
    delayMs: 0,
    userAgent: userAgent('test', 'http://127.0.0.1'),
    parser,
    lookup: (name) => Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' })),
    limits: { retryMs: [1, 1] },
  })
}

async function pageAt(opened: Site, address: string, withFacts: boolean): Promise<PageFacts> {
  const { reading, page } = await opened.read(address)
  return {
    pageId: address,
    url: reading.url,
    reading,
    document: page?.document ?? null,
    ...factsAt(state, address, withFacts),
  }
}

async function targetsOf(opened: Site, pages: readonly PageFacts[]) {
  const choice = createTargetChoice(new Set(pages.map(({ url }) => url)), opened.isOwn)
  for (const { url, document } of pages) {
    choice.add({ url, links: document?.links ?? [], canonicals: document?.canonicals ?? [] })
  }
  const targets = new Map<string, TargetReading>()
  for (const address of choice.chosen()) {
    targets.set(address, await opened.target(address))
  }
  return targets
}

async function sitemapFacts(opened: Site): Promise<SitemapFacts> {
  const urls = sitemapAddresses(state).length
  const files = await opened.sitemapFiles(site)
  return {
    urls,
    withoutLastmod: state.mended.has('all') ? 0 : urls,
    address: urls === 0 ? null : (files[0]?.address ?? null),
    refreshFault: null,
    files,
  }
}

/** Reads and judges the whole site. */
async function audit(withFacts: boolean, addresses: readonly string[] = auditedAddresses) {
  const opened = openPlanted()
  const pages = await Promise.all(addresses.map((one) => pageAt(opened, one, withFacts)))
  const names = [...new Set(addresses.map((address) => new URL(address).origin))]
  const origins = await Promise.all(names.map((origin) => readOrigin(opened, origin)))
  const targets = await targetsOf(opened, pages)
  const facts = siteFactsOf(state, addresses, withFacts)
  return judge({ ...facts, origins, targets, sitemap: await sitemapFacts(opened) }, pages)
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
