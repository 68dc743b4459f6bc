import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { builtinBots, createBotMatcher } from '../../core/bots/bots.ts'
import { keysOfDirectory } from '../../core/bots/web-bot-auth.ts'
import { openAgentKeys } from '../../ingest/bots/agent-keys.ts'
import { hitLine } from '../../ingest/event/event.ts'
import { eventJson } from '../../packages/sender/src/event.ts'
import { listen } from '../kit/tracker/folder.ts'

const projectId = '00000000-0000-4000-8000-000000000001'
const bots = createBotMatcher(builtinBots)
const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/138.0.0.0 Safari/537.36'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const { x = '' } = publicKey.export({ format: 'jwk' })
const keyid = createHash('sha256')
  .update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
  .digest('base64url')
const directory = {
  keys: [
    { kty: 'OKP', crv: 'Ed25519', x, use: 'sig' },
    { kty: 'RSA', n: 'AQAB' },
  ],
}
const nowSeconds = Math.floor(Date.now() / 1000)

interface Signing {
  readonly agent?: string
  readonly authority?: string
  readonly created?: number
  readonly expires?: number
  readonly tag?: string
  readonly keyid?: string
}

/** The headers that an agent sends, as ChatGPT agent does. */
function signed({
  agent = '"https://chatgpt.com"',
  authority = 'www.acme.com',
  ...given
}: Signing = {}) {
  const { created = nowSeconds, expires = nowSeconds + 3600, tag = 'web-bot-auth' } = given
  const params = `("@authority" "@method" "@path" "signature-agent");created=${created};keyid="${given.keyid ?? keyid}";expires=${expires};tag="${tag}"`
  const base = [
    `"@authority": ${authority}`,
    '"@method": GET',
    '"@path": /prices',
    `"signature-agent": ${agent}`,
    `"@signature-params": ${params}`,
  ].join('\n')
  const value = sign(null, Buffer.from(base), privateKey).toString('base64')
  return {
    signature: `sig1=:${value}:`,
    'signature-input': `sig1=${params}`,
    'signature-agent': agent,
  }
}

const sent = (signature?: ReturnType<typeof signed>, userAgent = browser) => {
  const url = 'https://www.acme.com/prices?secret=1'
  return JSON.parse(eventJson({ method: 'GET', url, status: 200, userAgent, signature }))
}

async function openKeys() {
  const asked: string[] = []
  const { log, lines } = listen()
  const read = async (url: string) => {
    asked.push(url)
    if (url.startsWith('https://chatgpt.com/')) return directory
    throw new Error('no such host')
  }
  const agents = openAgentKeys({ read, log })
  await agents.load()
  return { agents, asked, lines }
}

const { agents, asked, lines } = await openKeys()
const hit = (event: unknown) => {
  const { line, dropped } = hitLine(event, {
    projectId,
    source: 'tracker',
    bots,
    agents,
    now: Date.now(),
  })
  return line === undefined ? dropped : JSON.parse(line)
}

test('a signed request with the user agent of a browser is a hit of the agent, and its signature is not stored', () => {
  const row = hit(sent(signed()))
  expect(row).toMatchObject({
    bot_name: 'ChatGPT Agent',
    verification: 'verified',
    signed_by: 'chatgpt.com',
    path: '/prices',
  })
  expect(row.headers).toEqual({ 'signature-agent': '"https://chatgpt.com"' })
  expect(hit(sent())).toBe('not_a_crawler')
})

test('the member of a newer Signature-Agent is found by the name of the signature', () => {
  expect(hit(sent(signed({ agent: 'sig1="https://chatgpt.com"' })))).toMatchObject({
    signed_by: 'chatgpt.com',
  })
})

const broken: Readonly<Record<string, Signing | ((headers: ReturnType<typeof signed>) => object)>> =
  {
    'for another site': { authority: 'www.other.com' },
    'of an agent that is not known': { agent: '"https://agent.example"' },
    'of an agent whose keys were not read': { agent: '"https://agent.bot.goog"' },
    'of another key': { keyid: 'other' },
    'that has ended': { created: nowSeconds - 7200, expires: nowSeconds - 3600 },
    'that begins later': { created: nowSeconds + 3600, expires: nowSeconds + 7200 },
    'that holds for years': { expires: nowSeconds + 10_000_000 },
    'for another purpose': { tag: 'other' },
    'that was changed': (headers) => ({ signature: headers.signature.replace(/=:./, '=:0') }),
    'that is none': () => ({ signature: 'sig1=(((' }),
  }

test.each(Object.entries(broken))('a signature %s proves nothing', (_name, how) => {
  const headers = typeof how === 'function' ? { ...signed(), ...how(signed()) } : signed(how)
  expect(hit(sent(headers as never))).toBe('not_a_crawler')
  // Of a crawler by its user agent, the hit is as before.
  expect(hit(sent(headers as never, 'GPTBot/1.0'))).toMatchObject({ bot_name: 'GPTBot' })
  expect(hit(sent(headers as never, 'GPTBot/1.0')).signed_by).toBeUndefined()
})

test('keys are read once, and one directory that cannot be read does not keep others from being', async () => {
  await agents.load()
  expect(asked).toEqual([
    'https://chatgpt.com/.well-known/http-message-signatures-directory',
    'https://agent.bot.goog/.well-known/http-message-signatures-directory',
  ])
  expect(lines.some(({ message }) => message.includes('keys of a signed agent'))).toBe(true)
  expect(keysOfDirectory(directory).size).toBe(1)
  // The key of ChatGPT agent in August 2025, and the id that its signatures named.
  const ofChatGpt = { kty: 'OKP', crv: 'Ed25519', x: '7F_3jDlxaquwh291MiACkcS3Opq88NksyHiakzS-Y1g' }
  expect([...keysOfDirectory({ keys: [ofChatGpt] }).keys()]).toEqual([
    'otMqcjr17mGyruktGvJU8oojQTSMHlVm7uO-lrcqbdg',
  ])
  expect(() => keysOfDirectory({ keys: 'none' })).toThrow()
})
