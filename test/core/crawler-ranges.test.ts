import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { builtinBots } from '../../core/bots/bots.ts'
import { builtinRanges, createVerifier, verifyCrawler } from '../../core/bots/crawler-ranges.ts'

const listed = {
  crawler: 'TestBot',
  vendor: 'Test',
  published: 'https://example.com/bots.json',
  asOf: '2026-01-01',
  via: '',
}
const verify = createVerifier([
  { ...listed, prefixes: ['20.0.0.0/8', '20.1.0.0/16', '66.249.64.32/27', '2a00:1450:4000::/36'] },
])

describe('an address', () => {
  test.each([
    ['20.0.0.0', 'verified'],
    ['20.255.255.255', 'verified'],
    // Behind the smaller range, and within the larger.
    ['20.2.0.1', 'verified'],
    ['66.249.64.32', 'verified'],
    ['66.249.64.63', 'verified'],
    ['::ffff:66.249.64.63', 'verified'],
    ['2a00:1450:4fff:ffff::1', 'verified'],
    ['66.249.64.31', 'impostor'],
    ['66.249.64.64', 'impostor'],
    ['66.249.63.255', 'impostor'],
    ['19.255.255.255', 'impostor'],
    ['21.0.0.0', 'impostor'],
    ['2a00:1450:5000::1', 'impostor'],
    // Cut by the sender: a part of its network is of the vendor, all of it, or none.
    ['66.249.64.0', 'claimed'],
    ['20.9.9.0', 'verified'],
    ['66.249.65.0', 'impostor'],
    ['2a00:1450:4001::', 'verified'],
    ['2a00:1450:5001::', 'impostor'],
    // Of a network, of a documentation, or none: nothing can be said.
    ['10.1.2.3', 'claimed'],
    ['127.0.0.1', 'claimed'],
    ['192.0.2.77', 'claimed'],
    ['::1', 'claimed'],
    ['', 'claimed'],
    ['20', 'claimed'],
    ['0x14.1.1.1', 'claimed'],
    ['20.1.1.1, 8.8.8.8', 'claimed'],
    [undefined, 'claimed'],
    [20, 'claimed'],
  ] as const)('%s is %s', (address, verification) => {
    expect(verify('TestBot', address)).toBe(verification)
    expect(verify('testbot', address)).toBe(verification)
    expect(verify('OtherBot', address)).toBe('claimed')
  })

  test('is in the same ranges as ipaddr.js finds', () => {
    const prefixes = builtinRanges
      .filter(({ crawler }) => crawler === 'Googlebot')
      .flatMap((of) => of.prefixes.map((text) => ipaddr.parseCIDR(text)))
    const near = fc
      .constantFrom(...prefixes)
      .chain(([start]) =>
        fc.tuple(fc.constant(start), fc.integer({ min: 0, max: 15 }), fc.nat(0xff)),
      )
    fc.assert(
      fc.property(near, ([start, at, byte]) => {
        const bytes = start.toByteArray()
        bytes[at % bytes.length] = byte
        const address = ipaddr.fromByteArray(bytes)
        const end = bytes.at(-1) ?? 0
        fc.pre(address.range() === 'unicast' && end !== 0)
        const isIn = prefixes.some(
          ([first, bits]) => first.kind() === address.kind() && address.match(first, bits),
        )
        expect(verifyCrawler('Googlebot', address.toString())).toBe(isIn ? 'verified' : 'impostor')
      }),
      { numRuns: 2000 },
    )
  })
})

test('the ranges that come with Sightline are valid, and of known crawlers', () => {
  for (const { asOf, prefixes } of builtinRanges) {
    expect(asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(prefixes.length).toBeGreaterThan(0)
    expect(prefixes.filter((prefix) => !ipaddr.isValidCIDR(prefix))).toEqual([])
  }
  const names = new Set(builtinBots.bots.map(({ name }) => name))
  expect(builtinRanges.filter(({ crawler }) => !names.has(crawler))).toEqual([])
  expect(verifyCrawler('GPTBot', '20.171.207.9')).toBe('verified')
  expect(verifyCrawler('GPTBot', '8.8.8.8')).toBe('impostor')
  expect(verifyCrawler('ClaudeBot', '8.8.8.8')).toBe('claimed')
})
