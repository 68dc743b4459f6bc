import { capabilities } from '../core/access.ts'

/** Rights that a client may ask for. `admin` is none of them. */
export const connectionScopes = ['read', 'write', ...capabilities] as const

/** The address of the tool server, which every token is for. */
export const audienceOf = (baseUrl: string): string => `${baseUrl}/mcp`

/** Clients name the tool server by its address or by its origin, with and without a final slash. */
export function isAudience(baseUrl: string, resource: string): boolean {
  const plain = resource.replace(/\/$/, '')
  return plain === baseUrl || plain === audienceOf(baseUrl)
}

const metadataPath = '/.well-known/oauth-protected-resource'

/** Where clients look for `resourceMetadata`. @see RFC 9728, section 3.1 */
export const metadataPaths: readonly string[] = [metadataPath, `${metadataPath}/mcp`]

/** What a client needs to know of the tool server to ask for a token. @see RFC 9728 */
export const resourceMetadata = (baseUrl: string) => ({
  resource: audienceOf(baseUrl),
  resource_name: 'Sightline',
  authorization_servers: [baseUrl],
  scopes_supported: ['read'],
  bearer_methods_supported: ['header'],
})

/**
 * The header of a refusal, from which a client finds out where to ask for a token.
 * @param hasToken whether the request had one, which does not work any more
 */
export function challengeOf(baseUrl: string, hasToken: boolean): string {
  const parts = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    'scope="read"',
    `resource_metadata="${baseUrl}${metadataPath}/mcp"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

/**
 * The header of a refusal by which a client asks its person for a further right.
 * @param scopes all rights that the connection needs then
 * @see RFC 6750, section 3.1
 */
export function stepUpOf(baseUrl: string, scopes: readonly string[]): string {
  return `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", resource_metadata="${baseUrl}${metadataPath}/mcp"`
}
