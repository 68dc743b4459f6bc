import { describe, expect, test } from 'vitest'
import { column, gptBot, hit, needed } from '../kit/tracker/crawler-event.ts'

describe('path and host', () => {
  test.each([
    ['/a?b=c#d', '/a'],
    ['/a#d?b', '/a'],
    ['a/b', '/a/b'],
    ['?q=1', '/'],
    ['https://growth.example/full?x=1', '/full'],
    ['HTTP://growth.example', '/'],
    ['https://growth.example?x=1', '/'],
    ['/to/https://growth.example/a', '/to/https://growth.example/a'],
    ['/ü/😀', '/ü/😀'],
    [`/${'x'.repeat(3000)}`, `/${'x'.repeat(2047)}`],
  ])('the path %.40s is stored as %.40s', (path, stored) => {
    expect(column('path', { path })).toBe(stored)
  })

  test.each([
    ['https://WWW.Acme.com:8443/a?b=https://x.org', 'www.acme.com'],
    ['http://acme.com', 'acme.com'],
    ['https://acme.com.?q', 'acme.com'],
    ['https://user:secret@acme.com/', 'acme.com'],
    ['https://user@evil@acme.com/', 'acme.com'],
    ['//acme.com/a', 'acme.com'],
    ['https://MÜNCHEN.example/', 'xn--mnchen-3ya.example'],
    ['https://[2001:DB8::1]:443/', '[2001:db8::1]'],
    ['wss://acme.com:9/a', 'acme.com'],
    ['/prices?next=https://x.org', undefined],
    ['acme.com/a', undefined],
    ['https:///a', undefined],
    ['https://a b/', undefined],
    [`https://${'x'.repeat(300)}/`, undefined],
  ])('the host of %.50s is %s', (url, host) => {
    expect(column('host', { url })).toBe(host)
  })

  test('a URL without a host takes that of the request', () => {
    const url = '/prices?q=1'
    expect(column('host', { url, headers: { Host: 'Acme.com:8080' } })).toBe('acme.com')
    expect(column('host', { url, headers: { host: 'a b' } })).toBeUndefined()
    const both = { url: 'https://a.com/', headers: { host: 'b.com' } }
    expect(column('host', both)).toBe('a.com')
  })
})

test.each([
  ['203.0.113.77', '203.0.113.0'],
  ['255.255.255.255', '255.255.255.0'],
  ['::ffff:203.0.113.77', '203.0.113.0'],
  ['::FFFF:cb00:714d', '203.0.113.0'],
  ['2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff', '2001:db8:aaaa::'],
  ['fe80::1%eth0', 'fe80::'],
  ['::1', '::'],
  ['256.1.1.1', '0.0.0.0'],
  ['010.1.1.1', '0.0.0.0'],
  ['1.2.3', '0.0.0.0'],
  ['203.0.113.77, 10.0.0.1', '0.0.0.0'],
  ['203.0.113.77:443', '0.0.0.0'],
  ['anna@example.com', '0.0.0.0'],
  [`::${'1'.repeat(100_000)}`, '0.0.0.0'],
  [16_909_060, '0.0.0.0'],
  ['', '0.0.0.0'],
])('of the address %.30s is kept %s', (ip_address, stored) => {
  expect(column('ip_address', { ip_address })).toBe(stored)
})

describe('the referrer', () => {
  test.each([
    ['https://www.google.co.uk/search?q=my+illness', 'https://www.google.co.uk/search'],
    ['https://anna:secret@blog.acme.com/a#b', 'https://blog.acme.com/a'],
    ['https://acme.com/@anna', 'https://acme.com/@anna'],
    ['/inner?q=1', '/inner'],
    ['', undefined],
    [7, undefined],
  ])('%s is stored as %s', (referrer, stored) => {
    expect(column('referrer', { referrer })).toBe(stored)
  })

  test.each([
    [{ referrer: 'https://www.google.co.uk/search?q=x' }, 'google.co.uk'],
    [{ referrer: 'https://anna@Blog.Acme.com:8443/' }, 'acme.com'],
    [{ referrer: 'android-app://com.openai.chatgpt/' }, undefined],
    [{ referrer: 'a@b' }, undefined],
    [{ referrer: 'https://a.com/', referrer_domain: 'www.B.com' }, 'b.com'],
    [{ referrer: 'https://a.com/', referrer_domain: 'https://chat.b.com/x' }, 'b.com'],
    [{ referrer: 'https://a.com/', referrer_domain: 'no host' }, 'a.com'],
    [{ referrer: 'https://a.com/', referrer_domain: null }, 'a.com'],
    [{ referrer_domain: 'localhost' }, 'localhost'],
  ])('%j has the registrable domain %s', (given, domain) => {
    expect(column('referrer_domain', given)).toBe(domain)
  })
})

describe('the country', () => {
  const edge = { 'CF-IPCountry': 'fr' }
  test.each([
    [{ country: 'de' }, 'DE'],
    [{ country: 'UK' }, 'GB'],
    [{ country: 'DE', headers: edge }, 'DE'],
    [{ country: 'XX', headers: edge }, 'FR'],
    [{ country: 'Germany', headers: edge }, 'FR'],
    [{ headers: edge }, 'FR'],
    [{ headers: { 'x-vercel-ip-country': 'US' } }, 'US'],
    [{ headers: { 'CloudFront-Viewer-Country': 'JP' } }, 'JP'],
    [{ headers: { 'cf-ipcountry': 'T1' } }, undefined],
    [{ country: 49 }, undefined],
    [{}, undefined],
  ])('of %j is %s', (given, country) => {
    expect(column('country', given)).toBe(country)
  })
})

test('texts that may be absent are kept as they are, cut to their bounds', () => {
  expect(column('region', { region: 'Île-de-France' })).toBe('Île-de-France')
  expect(column('region', { region: 11 })).toBe('11')
  expect(column('city', { city: 'x'.repeat(200) })).toBe('x'.repeat(128))
  expect(column('city', { city: { name: 'Paris' } })).toBeUndefined()
  expect(column('utm_source', { utm_source: 'chatgpt.com' })).toBe('chatgpt.com')
  expect(column('utm_content', { utm_content: 'x'.repeat(300) })).toBe('x'.repeat(256))
  expect(column('event_name', { event_name: 'x'.repeat(200) })).toBe('x'.repeat(128))
  expect(column('method', { method: 'propfind' })).toBe('PROPFIND')
  expect(column('user_agent', { user_agent: `${gptBot} ${'x'.repeat(2000)}` })).toHaveLength(1024)
})

describe('headers', () => {
  const headers = (given: unknown) => column('headers', { headers: given })

  test('are kept by lower-case name', () => {
    expect(headers({ Accept: 'text/html', 'accept-language': 'de' })).toEqual({
      accept: 'text/html',
      'accept-language': 'de',
    })
    expect(headers({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'a.com' })).toEqual({
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.com',
    })
    expect(headers({ 'Signature-Agent': '"https://chatgpt.com"' })).toEqual({
      'signature-agent': '"https://chatgpt.com"',
    })
  })

  test.each(
    'Authorization,proxy-authorization,Cookie,set-cookie,x-api-key,apikey,X-Auth-Token,x-amz-security-token,x-csrf-token,x-session-id,x-client-secret,x-amzn-oidc-data,cf-access-jwt-assertion,x-forwarded-client-cert'.split(
      ',',
    ),
  )('never hold the credential %s', (name) => {
    expect(headers({ [name]: 'secret' })).toBeUndefined()
    expect(headers({ [name]: ['secret'], accept: '*/*' })).toEqual({ accept: '*/*' })
  })

  test.each(
    'X-Forwarded-For,x-original-forwarded-for,forwarded,x-real-ip,CF-Connecting-IP,cf-connecting-ipv6,true-client-ip,x-client-ip,x-cluster-client-ip,fly-client-ip,x-azure-clientip,cloudfront-viewer-address,remote-addr'.split(
      ',',
    ),
  )('never hold the address in %s', (name) => {
    expect(headers({ [name]: '203.0.113.77', accept: '*/*' })).toEqual({ accept: '*/*' })
  })

  test('hold no query of the page that a visitor came from', () => {
    expect(headers({ Referer: 'https://u:p@a.com/b?q=illness' })).toEqual({
      referer: 'https://a.com/b',
    })
  })

  test('that came more than once are lists, others than texts are made so', () => {
    expect(
      headers({ 'accept-language': ['de', 'en'], dnt: 1, 'sec-gpc': true, via: null }),
    ).toEqual({ 'accept-language': 'de, en', dnt: '1', 'sec-gpc': 'true' })
  })

  test.each([null, 'a: b', [['a', 'b']], 7, {}])('are absent when given as %j', (given) => {
    expect(headers(given)).toBeUndefined()
  })

  test('are bounded in number and length', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`h${i}`, 'x']))
    expect(Object.keys(headers(many) as object)).toEqual(Object.keys(many).slice(0, 64))
    const long = { ['n'.repeat(200)]: 'x'.repeat(2000), accept: '*/*' }
    expect(headers(long)).toEqual({ ['n'.repeat(128)]: 'x'.repeat(1024), accept: '*/*' })
  })
})

describe('parameters and properties', () => {
  test('are texts by name; those of campaigns are none', () => {
    const query_parameters = { q: 'a b', page: 2, utm_source: 'x', UTM_Id: 'y', tags: ['a', 'b'] }
    expect(column('query_parameters', { query_parameters })).toEqual({
      q: 'a b',
      page: '2',
      tags: '["a","b"]',
    })
    const custom_properties = {
      plan: 'pro',
      utm_x: 'kept',
      nested: { a: [1] },
      gone: null,
      ok: true,
    }
    expect(column('custom_properties', { custom_properties })).toEqual({
      plan: 'pro',
      utm_x: 'kept',
      nested: '{"a":[1]}',
      ok: 'true',
    })
  })

  test.each(['query_parameters', 'custom_properties'])('without a name are no %s', (name) => {
    expect(column(name, { [name]: { '': 'x', a: 'b' } })).toEqual({ a: 'b' })
    expect(column(name, { [name]: { '': 'x' } })).toBeUndefined()
  })

  test('that nest as deep as a body allows are left out', () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
    const custom_properties = JSON.parse(`{"deep":${deep},"plan":"pro"}`)
    expect(column('custom_properties', { custom_properties })).toEqual({ plan: 'pro' })
  })

  test('named __proto__ change no object', () => {
    const event = JSON.stringify({ ...needed, headers: 0, custom_properties: 0 })
    const evil = '{"__proto__":"x","constructor":"c","a":"b"}'
    const columns = hit(JSON.parse(event.replaceAll('":0', `":${evil}`)))
    const kept = { constructor: 'c', a: 'b' }
    expect(columns).toMatchObject({ headers: kept, custom_properties: kept })
    expect(Object.keys((columns as { headers: object }).headers)).toEqual(['constructor', 'a'])
    expect(hit(JSON.parse(`{"__proto__":${event}}`))).toBe('not_a_crawler')
  })
})
