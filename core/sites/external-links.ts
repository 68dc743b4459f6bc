/** The states of a link to another site, in the order in which lists show it. */
export const externalLinkStates = ['broken', 'refused', 'not_checked', 'working', 'queued'] as const
export type ExternalLinkState = (typeof externalLinkStates)[number]

/** Why a link has no status that says it, or was not checked. */
export const externalLinkReasons = [
  'dns',
  'connection',
  'timeout',
  'protocol',
  'certificate',
  'redirect_loop',
  'robots',
  'private_address',
  'limit',
  'budget',
] as const
export type ExternalLinkReason = (typeof externalLinkReasons)[number]

/** 999 is what LinkedIn answers programs with. */
const unusualRefusal = 999

/**
 * The state of a link by the status that its address answered. A site that answers 404, 410 or a server error has lost
 * the page. Any other error says that the site answers people and not programs, so the page may well be there.
 * @see RFC 9110, section 15
 */
export function stateOfStatus(status: number): ExternalLinkState {
  if (status < 400) return 'working'
  if (status === 404 || status === 410) return 'broken'
  return status < 500 || status === unusualRefusal ? 'refused' : 'broken'
}
