const LONGEST_TEXT = 2_048

/** A request that a site has answered. */
export interface SiteRequest {
  readonly method: string
  /** Absolute. Its query stays on the server. */
  readonly url: string
  readonly status: number
  readonly durationMs?: number | undefined
  readonly userAgent?: string | null | undefined
  /** Of the client. Its last part stays on the server. */
  readonly address?: string | null | undefined
  /** Its query stays on the server. */
  readonly referrer?: string | null | undefined
  /** ISO 3166-1, two letters. */
  readonly country?: string | null | undefined
  /** The headers by which an agent signs its request. */
  readonly signature?: Signature | undefined
}

/** Headers of HTTP Message Signatures, as they came. */
export interface Signature {
  readonly signature: string
  readonly 'signature-input': string
  readonly 'signature-agent': string
}

/**
 * The JSON of a request in the format of the tracker, without queries and without the address of a person.
 * @throws {TypeError} for a URL that is not absolute
 */
export function eventJson({ method, url, status, durationMs = 0, ...rest }: SiteRequest): string {
  const { origin, pathname } = new URL(url)
  return JSON.stringify({
    event_name: 'server_request',
    timestamp: Math.round(Date.now() - durationMs),
    method,
    path: pathname.slice(0, LONGEST_TEXT),
    url: (origin + pathname).slice(0, LONGEST_TEXT),
    status_code: status,
    response_time_ms: Math.round(durationMs),
    user_agent: rest.userAgent?.slice(0, LONGEST_TEXT) ?? '',
    ip_address: anonymous(rest.address ?? ''),
    referrer: rest.referrer?.split('?')[0]?.slice(0, LONGEST_TEXT),
    country: rest.country ?? undefined,
    headers: rest.signature,
  })
}

/** Removes the last number of an IPv4 address, or the last 80 bits of an IPv6 address. */
function anonymous(address: string): string | undefined {
  const [, network] = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address) ?? []
  if (network !== undefined) return `${network}.0`
  const [groups = ''] = address.split('::')
  return address.includes(':') ? `${groups.split(':').slice(0, 3).join(':')}::` : undefined
}
