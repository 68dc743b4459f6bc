import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  parseItem,
  serializeInnerList,
  serializeItem,
} from 'structured-headers'
import { z } from 'zod'

/**
 * Signatures of agents over their requests: HTTP Message Signatures with the tag `web-bot-auth` and Ed25519 keys that an
 * agent publishes in a directory on its own site.
 * @see RFC 9421; draft-meunier-web-bot-auth-architecture; draft-meunier-http-message-signatures-directory
 */

/** A key of an agent, with the Unix seconds between which it signs. */
interface AgentKey {
  readonly key: KeyObject
  readonly from: number
  readonly until: number
}

/** Keys of an agent by the thumbprint that a signature names. */
export type AgentKeys = ReadonlyMap<string, AgentKey>

/** Where an agent publishes its keys. */
export const directoryPath = '/.well-known/http-message-signatures-directory'

const directoryShape = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.string(),
        crv: z.string().optional(),
        x: z.string().optional(),
        nbf: z.number().optional(),
        exp: z.number().optional(),
      }),
    )
    .max(100),
})

/** @see RFC 7638; RFC 8037, appendix A.3 */
const thumbprintOf = (x: string) =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')

/**
 * The Ed25519 keys of a directory; other keys are left out.
 * @throws {Error} for what is no directory, or a key that is none
 */
export function keysOfDirectory(json: unknown): AgentKeys {
  const { keys } = directoryShape.parse(json)
  return new Map(
    keys.flatMap(({ kty, crv, x, nbf = 0, exp = Infinity }) => {
      if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) return []
      const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
      return [[thumbprintOf(x), { key, from: nbf, until: exp }] as const]
    }),
  )
}

/** A request with its three headers of a signature. */
interface SignedRequest {
  readonly signature: string
  readonly signatureInput: string
  readonly signatureAgent: string
  readonly method: string
  /** Absolute, as the client asked for it. */
  readonly url: string
  readonly path: string
  /** Unix seconds. */
  readonly at: number
}

/** Clocks of a site and of an agent may differ. */
const slackSeconds = 300
const longestSeconds = 24 * 60 * 60

/** The member of `Signature-Agent` for a signature; older agents send one text without names. */
function agentMember(header: string, label: string): Item | undefined {
  if (header.trimStart().startsWith('"')) return parseItem(header)
  const member = parseDictionary(header).get(label)
  return member === undefined || isInnerList(member) ? undefined : member
}

function partOf(component: Item, request: SignedRequest): string | undefined {
  const [name, parameters] = component
  const key = parameters.get('key')
  switch (name) {
    case '@authority':
      return URL.parse(request.url)?.host
    case '@method':
      return request.method
    case '@path':
      return request.path
    case 'signature-agent': {
      if (typeof key !== 'string') return request.signatureAgent.trim()
      const member = agentMember(request.signatureAgent, key)
      return member && serializeItem(member)
    }
    default:
      return undefined
  }
}

/** What was signed; undefined where a part of it is not known. @see RFC 9421, section 2.5 */
function baseOf(input: InnerList, request: SignedRequest): string | undefined {
  const lines: string[] = []
  for (const component of input[0]) {
    const value = partOf(component, request)
    if (value === undefined) return undefined
    lines.push(`${serializeItem(component)}: ${value}`)
  }
  return [...lines, `"@signature-params": ${serializeInnerList(input)}`].join('\n')
}

/** The key that signed now, if the parameters of the signature are those of an agent. */
function keyFor(input: InnerList, keys: AgentKeys, at: number): KeyObject | undefined {
  const [components, parameters] = input
  const names = components.map(([name]) => name)
  const [created, expires] = [parameters.get('created'), parameters.get('expires')]
  if (parameters.get('tag') !== 'web-bot-auth') return undefined
  if (!names.includes('@authority') || !names.includes('signature-agent')) return undefined
  if (typeof created !== 'number' || typeof expires !== 'number') return undefined
  if (expires - created > longestSeconds) return undefined
  if (created > at + slackSeconds || expires < at - slackSeconds) return undefined
  const found = keys.get(String(parameters.get('keyid')))
  return found && found.from <= at + slackSeconds && found.until >= at - slackSeconds
    ? found.key
    : undefined
}

/**
 * The agent that signed a request, as the origin of its directory; undefined where none of the known agents did. Never
 * throws: headers may be anything.
 * @param keysOf the keys of a known agent
 */
export function signerOf(
  request: SignedRequest,
  keysOf: (agent: string) => AgentKeys | undefined,
): string | undefined {
  try {
    const signatures = parseDictionary(request.signature)
    for (const [label, input] of parseDictionary(request.signatureInput)) {
      const signature = signatures.get(label)?.[0]
      const named = agentMember(request.signatureAgent, label)?.[0]
      const agent = typeof named === 'string' ? URL.parse(named)?.origin : undefined
      const keys = agent === undefined ? undefined : keysOf(agent)
      if (!keys || !isInnerList(input) || !(signature instanceof ArrayBuffer)) continue
      const key = keyFor(input, keys, request.at)
      const base = key && baseOf(input, request)
      if (base && verify(null, Buffer.from(base), key, new Uint8Array(signature))) return agent
    }
  } catch {
    // Not the headers of a signature.
  }
  return undefined
}
