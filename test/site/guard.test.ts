import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { isPublicAddress } from '../../site/guard/public-address.ts'
import { exception, type Handler, sendHtml, useTestSites } from './server.ts'

const { start, open, shop } = useTestSites({ maxMs: 60_000, maxMb: 512, threads: 1 })

const at = (...addresses: readonly string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const page: Handler = (_, response) => sendHtml(response)

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.1',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '4000::1',
  'fc00::1',
  'fe80::1',
  'fd00:ec2::254',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  'ff02::1',
  'x',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['93.184.215.14', '2606:4700::1111', '::ffff:93.184.215.14', '64:ff9b::5db8:d70e'])(
  '%s is a public address',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

test('private addresses in every spelling, local names and other ports are skipped unasked', async () => {
  const looked: string[] = []
  const { server, outcome } = await shop(
    { '/': page },
    {
      privateHosts: [],
      ownDomains: [
        '127.0.0.1',
        '[::ffff:7f00:1]',
        '[::7f00:1]',
        'localhost',
        'shop.test',
        'a.local',
      ],
      lookup: async (name) => {
        looked.push(name)
        return at('127.0.0.1')
      },
    },
  )
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '１２７.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    'localhost',
    'localhost.',
    'x.localhost',
    'a.local',
    'intranet',
    `127.0.0.1:${server.port}`,
    `shop.test:${server.port}`,
    'me:secret@shop.test',
  ]
  for (const host of hosts) {
    expect(await outcome(`http://${host}/`), host).toMatchObject({
      kind: 'skipped',
      reason: 'private_address',
    })
  }
  expect(looked).toEqual([])
  expect(server.connections()).toBe(0)
})

test.each([
  ['a private address', [at('10.0.0.1')]],
  ['a public and a private address', [at('93.184.215.14', '127.0.0.1')]],
  ['a mapped address', [at('::ffff:7f00:1')]],
])('a name that resolves to %s is skipped', async (_, answers) => {
  const { server, outcome } = await shop(
    {},
    { privateHosts: [], lookup: async () => answers[0] ?? [] },
  )
  expect(await outcome('http://shop.test/')).toMatchObject({ reason: 'private_address' })
  expect(server.connections()).toBe(0)
})

test('a host is resolved once a page, so no later answer of DNS counts', async () => {
  const server = await start({
    '/': (_, response) => response.writeHead(302, { Location: '/b' }).end(),
    '/b': page,
  })
  let looks = 0
  const site = open(server, {
    privateHosts: [{ name: 'shop.test', port: server.port, target: null }],
    lookup: async () => {
      looks++
      return at('127.0.0.1')
    },
  })
  const { reading } = await site.read(`http://shop.test:${server.port}/`)
  expect(reading.outcome).toMatchObject({ kind: 'read' })
  // One for robots.txt, one for the page and its redirect.
  expect(looks).toBe(2)
})

test('a name that became private is skipped at the next look', async () => {
  const { outcome } = await shop(
    { '/': (_, response) => response.writeHead(302, { Location: 'http://b.shop.test/' }).end() },
    { lookup: async () => at('10.0.0.1') },
  )
  expect(await outcome('http://shop.test/')).toMatchObject({ reason: 'private_address' })
})

test('redirects to metadata servers and loopback are off site, and never requested', async () => {
  const inner = await start({ '/': page })
  const to =
    (location: string): Handler =>
    (_, response) =>
      response.writeHead(302, { Location: location }).end()
  const { outcome } = await shop({
    '/to-metadata': to('http://169.254.169.254/latest/meta-data/'),
    '/to-loopback': to(`http://127.0.0.1:${inner.port}/`),
    '/to-mapped': to(`http://[::ffff:7f00:1]:${inner.port}/`),
    '/to-file': to('file:///etc/passwd'),
  })
  for (const path of ['/to-metadata', '/to-loopback', '/to-mapped', '/to-file']) {
    expect(await outcome(`http://shop.test${path}`)).toMatchObject({ kind: 'redirect_off_site' })
  }
  expect(inner.connections()).toBe(0)
})

test('an exception opens its name and port alone', async () => {
  const { server, outcome } = await shop({ '/': page }, { lookup: async () => at('127.0.0.1') })
  expect(await outcome('http://shop.test/')).toMatchObject({ kind: 'read' })
  const connections = server.connections()
  for (const address of ['http://www.shop.test/', 'https://shop.test/', 'http://shop.test:8080/']) {
    expect(await outcome(address)).toMatchObject({ reason: 'private_address' })
  }
  expect(server.connections()).toBe(connections)
})

test('an exception without an address reaches the name wherever it resolves', async () => {
  const server = await start({ '/': page })
  const site = open(server, {
    privateHosts: [{ name: 'shop.test', port: server.port, target: null }],
    lookup: async () => at('127.0.0.1'),
  })
  const { reading } = await site.read(`http://shop.test:${server.port}/`)
  expect(reading.outcome).toMatchObject({ kind: 'read' })
})

test('a page of another brand is skipped unasked', async () => {
  const { server, outcome } = await shop({}, { privateHosts: [exception('other.test', 80)] })
  expect(await outcome('http://other.test/')).toMatchObject({ reason: 'no_own_host' })
  expect(server.connections()).toBe(0)
})
