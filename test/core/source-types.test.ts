import { describe, expect, test } from 'vitest'
import { sourceRegistry } from '../../core/data/source-registry.ts'
import { registryType } from '../../core/sites/source-types.ts'
import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import { realData } from '../kit/real-data.ts'

const real = realData('data/answers-product-bench.jsonl')

const registered = sourceRegistry.flatMap((group) => group.domains.trim().split(/\s+/))

describe('the registry', () => {
  test('no domain stands in it twice', () => {
    const seen = new Set<string>()
    expect(registered.filter((domain) => seen.size === seen.add(domain).size)).toEqual([])
  })

  test('every entry is a lower-case registrable domain', () => {
    expect(registered.filter((domain) => domainOf(domain) !== domain)).toEqual([])
    expect(registered.filter((domain) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain))).toEqual([])
  })

  test('no entry repeats what the rules say anyway', () => {
    const byRule = /\.(?:gov|edu|mil|int)$|\.(?:gov|ac|edu)\.[a-z]{2}$|\.europa\.eu$/
    expect(registered.filter((domain) => byRule.test(domain))).toEqual([])
  })
})

describe('registryType', () => {
  test.each([
    ['youtube.com', 'social'],
    ['linkedin.com', 'social'],
    ['somebody.blogspot.com', 'social'],
    ['reddit.com', 'forum'],
    ['stackexchange.com', 'forum'],
    ['meta.discourse.group', 'forum'],
    ['rtings.com', 'review'],
    ['trustpilot.com', 'review'],
    ['g2.com', 'review'],
    ['nytimes.com', 'editorial'],
    ['lemonde.fr', 'editorial'],
    ['heise.de', 'editorial'],
    ['wikipedia.org', 'institutional'],
    ['mayoclinic.org', 'institutional'],
    ['amazon.com', 'third_party'],
    ['samsung.com', 'third_party'],
    ['somebody.myshopify.com', 'third_party'],
    ['buckeyebasementsolutions.com', 'other'],
  ])('the registry has %s as %s', (domain, type) => {
    expect(registryType(domain)).toBe(type)
  })

  test.each([
    'nih.gov',
    'emory.edu',
    'army.mil',
    'who.int',
    'www.gov.uk',
    'gov.uk',
    'ox.ac.uk',
    'www.nhs.uk',
    'usyd.edu.au',
    'u-tokyo.ac.jp',
    'meti.go.jp',
    'justice.gouv.fr',
    'ine.gob.mx',
    'health.govt.nz',
    'statcan.gc.ca',
    'bmf.gv.at',
    'europa.eu',
    'ecb.europa.eu',
  ])('%s is institutional by rule', (domain) => {
    expect(registryType(domain)).toBe('institutional')
  })

  test.each([
    'gov.com',
    'mygov.uk',
    'edu.com',
    'academic.uk',
    'europa-eu.com',
    'mil.co',
    'localhost',
    '10.0.0.1',
    '',
  ])('no rule is met by %j', (domain) => {
    expect(registryType(domain)).toBe('other')
  })

  test.skipIf(real.isAbsent)(
    'four of five citations of the real answers are of a known type',
    () => {
      const answers = real.lines.map((line) => JSON.parse(line) as { citations: { url: string }[] })
      const types = answers
        .flatMap((answer) => answer.citations.map((citation) => normaliseUrl(citation.url) ?? ''))
        .map((url) => registryType(domainOf(hostOf(url))))
      expect(types).toHaveLength(2790)
      expect(types.filter((type) => type !== 'other').length).toBeGreaterThan(2790 * 0.8)
    },
  )
})
