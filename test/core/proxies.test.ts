import { expect, test } from 'vitest'
import { clientAddress, parseProxies } from '../../core/proxies.ts'

const proxies = parseProxies('10.0.0.1, 192.168.0.0/16, fd00::/8') ?? []

test.each([
  ['a peer that is no proxy, whatever it says', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a client of a proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a client of two proxies', '10.0.0.1', '203.0.113.9, 192.168.3.4', '203.0.113.9'],
  ['what a client wrote itself', '10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['a socket of IPv6', '::ffff:10.0.0.1', '2001:db8::1', '2001:db8::1'],
  ['a proxy that says nothing', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy that says no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['a request of a proxy itself', 'fd00::7', '192.168.1.1', '192.168.1.1'],
])('%s', (_name, peer, forwarded, wanted) => {
  expect(clientAddress(peer, forwarded, proxies)).toBe(wanted)
  expect(clientAddress(peer, forwarded, [])).toBe(peer)
})

test.each(['proxy.test', '10.0.0.0/33', '10.0.0.1,'])('%s is no list of addresses', (text) => {
  expect(parseProxies(text)).toBeNull()
})
