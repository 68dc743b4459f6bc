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

/** The ids of revoked ingest keys and deleted projects, whose signatures are still valid. */
export interface Revoked {
  readonly keys: ReadonlySet<string>
  readonly projects: ReadonlySet<string>
}

/** Checks the key and the site token of a request, without a store. */
export interface Verifier {
  /** The ingest key of a token `sk_live_…`, or its fault. */
  key(token: string): IngestKey | KeyFault
  /** The site of a token `st_…`; undefined for a foreign signature or a deleted project. */
  site(token: string): Site | undefined
}

/** Tokens have about 200 characters. */
const longestToken = 1000
/** A few megabytes at most. */
const cachedTokens = 5000

const keyShape = z.object({ i: z.string(), w: z.string(), p: z.array(z.string()) })
const siteShape = z.object({ p: z.guid(), w: z.string() })

/** Opens tokens of one kind, and caches valid ones, so that a signature is checked once. */
function openerOf<Payload>(
  kind: { prefix: string; purpose: string; shape: z.ZodType<Payload> },
  secrets: readonly string[],
): (token: string) => Payload | undefined {
  const opened = new LRUCache<string, Payload & {}>({ max: cachedTokens })

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
    const cached = opened.get(token)
    if (cached !== undefined) return cached
    const payload = open(token)
    // Forged tokens are not cached: they would evict valid ones.
    if (payload) opened.set(token, payload)
    return payload
  }
}

/**
 * @param options.secrets signatures of each secret are valid, so that a secret can be replaced
 * @param options.revoked called at each check
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
