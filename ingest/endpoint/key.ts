import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { logEvents, openToken } from '../../core/tokens.ts'

export interface IngestKey {
  readonly id: string
  readonly workspaceId: string
}

export interface Site {
  readonly projectId: string
  readonly workspaceId: string
}

export type KeyFault = 'invalid_signature' | 'missing_permission' | 'revoked'

/** What no signature tells: the ids of revoked ingest keys and of deleted projects. */
export interface Revoked {
  readonly keys: ReadonlySet<string>
  readonly projects: ReadonlySet<string>
}

/** Checks the two credentials of an events request, without any store. */
export interface Verifier {
  /** The ingest key of a text `sk_live_…`, or what is wrong with it. */
  key(token: string): IngestKey | KeyFault
  /** The site of a text `st_…`; undefined when we did not sign it, or its project is deleted. */
  site(token: string): Site | undefined
}

/** Ours have some 200 characters: to remember the signed ones costs a few megabytes at most. */
const longestToken = 1000
const remembered = 5000

const keyShape = z.object({ i: z.string(), w: z.string(), p: z.array(z.string()) })
const siteShape = z.object({ p: z.guid(), w: z.string() })

/** Opens tokens of one kind, and remembers those that are ours: a signature is checked once. */
function openerOf<Payload>(
  kind: { prefix: string; purpose: string; shape: z.ZodType<Payload> },
  secrets: readonly string[],
): (token: string) => Payload | undefined {
  const opened = new LRUCache<string, Payload & {}>({ max: remembered })

  function open(token: string): Payload | undefined {
    if (!token.startsWith(kind.prefix)) return undefined
    const signed = token.slice(kind.prefix.length)
    for (const secret of secrets) {
      const payload = kind.shape.safeParse(openToken(secret, kind.purpose, signed))
      if (payload.success) return payload.data
    }
    return undefined
  }
  return (token) => {
    if (token.length > longestToken) return undefined
    const known = opened.get(token)
    if (known !== undefined) return known
    const payload = open(token)
    // What is forged is not remembered: it would push out what is ours.
    if (payload) opened.set(token, payload)
    return payload
  }
}

/**
 * @param options.secrets a token that any of them signed is ours, so that a secret can be replaced
 * @param options.revoked asked at each check
 */
export function createVerifier(options: {
  secrets: readonly string[]
  revoked(): Revoked
}): Verifier {
  const { secrets, revoked } = options
  const openKey = openerOf({ prefix: 'sk_live_', purpose: 'ingest', shape: keyShape }, secrets)
  const openSite = openerOf({ prefix: 'st_', purpose: 'site', shape: siteShape }, secrets)
  return {
    key(token) {
      const payload = openKey(token)
      if (!payload) return 'invalid_signature'
      if (revoked().keys.has(payload.i)) return 'revoked'
      if (!payload.p.includes(logEvents)) return 'missing_permission'
      return { id: payload.i, workspaceId: payload.w }
    },
    site(token) {
      const payload = openSite(token)
      if (!payload || revoked().projects.has(payload.p)) return undefined
      return { projectId: payload.p, workspaceId: payload.w }
    },
  }
}
