import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PlanName } from './plans.ts'

/** Scopes that a key may have. `admin` includes every other grant. */
export const keyScopes = ['read', 'write', 'admin'] as const
export type KeyScope = (typeof keyScopes)[number]

export const capabilities = ['prompt:draft'] as const
export type Capability = (typeof capabilities)[number]

/** One right of a key: a scope or a capability. Clients read them as `scopes` and `capabilities`. */
export type Grant = KeyScope | Capability

/** The roles of a person in a workspace, the strongest first. */
export const roles = ['owner', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Whether a person of this role has the right in the workspace. A key has no more there than its person. */
export function roleHasGrant(role: Role, grant: Grant): boolean {
  return role !== 'viewer' || grant === 'read'
}

/** Who acts with a key: a program, the browser of a person who signed in, or an AI client that a person connected. */
export const keyKinds = ['static', 'browser', 'connection'] as const
export type KeyKind = (typeof keyKinds)[number]

/** The API key of a request, after all checks of the key itself. */
export interface Principal {
  readonly keyId: string
  readonly userId: string
  readonly workspaceId: string
  /** The one project that a bound key reaches, null for a key that is not bound. */
  readonly projectId: string | null
  readonly scopes: readonly string[]
  readonly capabilities: readonly string[]
  /** The session of the browser that sent the request; absent for a program. */
  readonly session?: Session | undefined
}

/** A browser that is signed in. */
export interface Session {
  readonly id: string
  /** Whether a person signed in: such a session reaches each workspace of the person. A pasted key reaches what it reaches. */
  readonly isPerson: boolean
}

/** An API key as the catalog holds it. */
export interface StoredKey {
  readonly id: string
  readonly userId: string
  readonly workspaceId: string
  readonly projectId: string | null
  readonly scopes: readonly string[]
  readonly capabilities: readonly string[]
  readonly kind: KeyKind
  /** The plan of the key's workspace. */
  readonly plan: PlanName
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** To the minute. */
  readonly lastUsedAt: Date | null
  /** The first of the keys that were replaced one by another. */
  readonly firstKeyId: string | null
  /** The session that was looked up, and when its token was made; null for a key by itself. */
  readonly sessionId: string | null
  readonly rotatedAt: Date | null
}

/** Whether the key has the grant. Grants are independent of each other, except that `admin` includes all. */
export function hasGrant(
  key: { scopes: readonly string[]; capabilities: readonly string[] },
  grant: Grant,
): boolean {
  return (
    key.scopes.includes('admin') || key.scopes.includes(grant) || key.capabilities.includes(grant)
  )
}

/** Whether the key has any right beside reading. */
export const mayWrite = (key: Parameters<typeof hasGrant>[0]): boolean =>
  hasGrant(key, 'write') || hasGrant(key, 'prompt:draft')

const prefix = 'sgl_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const shape = /^sgl_[0-9A-Za-z]{38}$/

function base62(value: number, length: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < length; i++) {
    text = alphabet.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

function randomSecret(): string {
  let text = ''
  while (text.length < secretLength) {
    // 248 is the largest multiple of 62 in a byte: above it the draw would favour early letters.
    for (const byte of randomBytes(48)) {
      if (byte < 248 && text.length < secretLength) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

/** A new API key: shown once as `key`; only `hash` (SHA-256, hex) and `lastFour` are stored. */
export function makeApiKey(): { key: string; hash: string; lastFour: string } {
  const secret = randomSecret()
  const key = prefix + secret + base62(crc32(secret), checksumLength)
  return { key, hash: hashApiKey(key), lastFour: key.slice(-4) }
}

/** Is the text a key that we could have made? The checksum finds a typo without a look-up. */
export function isApiKey(text: string): boolean {
  if (!shape.test(text)) return false
  const secret = text.slice(prefix.length, prefix.length + secretLength)
  return text.slice(-checksumLength) === base62(crc32(secret), checksumLength)
}

/** SHA-256 of the key in hex: what the catalog stores and looks up. */
export function hashApiKey(key: string): string {
  return hash('sha256', key)
}

/** Compares two secrets in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** How long a browser stays signed in after its last visit. */
export const sessionMs = 30 * 24 * 60 * 60 * 1000

const sessionPrefix = 'sgs_'

/** A new token of a session. No request may send it as a key. */
export function makeSessionToken(): { token: string; hash: string } {
  const token = sessionPrefix + randomBytes(32).toString('base64url')
  return { token, hash: hashApiKey(token) }
}

/** Is the text a token that we could have made? */
export function isSessionToken(text: string): boolean {
  return /^sgs_[\w-]{43}$/.test(text)
}

/** A person whom a provider of sign-ins knows may join these workspaces. */
export interface OpenInvitation {
  readonly id: string
  readonly workspace: string
  readonly role: Role
}

/** A session that has begun: its token is for the cookie of the browser. */
export interface Begun {
  readonly token: string
  readonly expiresAt: Date
}

/** A sign-in: a session, or the invitations of a person who is no member yet. */
export type SignedIn = Begun | { readonly invitations: readonly OpenInvitation[] }

/**
 * Whether the raw headers of a request hold another key than the one that Node.js read, the first. A proxy may have
 * checked the other.
 */
export function hasTwoKeys(
  rawHeaders: readonly string[],
  authorization: string | undefined,
): boolean {
  return rawHeaders.some(
    (name, at) =>
      at % 2 === 0 &&
      name.length === 'authorization'.length &&
      name.toLowerCase() === 'authorization' &&
      rawHeaders[at + 1] !== authorization,
  )
}
