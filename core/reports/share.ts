import { openToken, signToken } from '../tokens.ts'

/** What a link shows: a report, while its share version is this one. */
export interface Shared {
  readonly reportId: string
  readonly version: number
}

const purpose = 'share'

/** The address of a shared report. */
export function shareUrl(baseUrl: string, secret: string, { reportId, version }: Shared): string {
  return `${baseUrl}/share/${signToken(secret, purpose, { r: reportId, v: version })}`
}

/**
 * What a link's token shows; undefined for a token that none of the secrets signed.
 * @param secrets the first signs new links; all are accepted
 */
export function openShare(secrets: readonly string[], token: string): Shared | undefined {
  for (const secret of secrets) {
    const payload = openToken(secret, purpose, token)
    if (typeof payload !== 'object' || payload === null) continue
    const { r, v } = payload as { r?: unknown; v?: unknown }
    if (typeof r === 'string' && typeof v === 'number') return { reportId: r, version: v }
  }
  return undefined
}
