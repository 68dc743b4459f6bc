import type { IncomingHttpHeaders } from 'node:http'

/** Media types of the answers of `/graphql`. */
const offered = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
].map((type) => type.split('/'))

/** Whether Yoga finds an answer for one item of the header. */
function isOffered(item: string): boolean {
  const [range = '', ...params] = item.replaceAll(/\s/g, '').toLowerCase().split(';')
  const charset = params.find((param) => param.includes('charset='))
  if (charset !== undefined && charset !== 'charset=utf-8') return false
  const [asked, askedSubtype] = range.split('/')
  return offered.some(
    ([type, subtype]) =>
      (asked === '*' || asked === type) && (askedSubtype === '*' || askedSubtype === subtype),
  )
}

/**
 * Removes an `Accept` header that no answer fits, so that the client gets JSON as from REST. Yoga would run the
 * operation, mutations too, and then answer 406 without a body.
 * @see RFC 9110, section 12.5.1
 */
export function disregardAccept(headers: IncomingHttpHeaders): void {
  if (headers.accept && !headers.accept.split(',').some(isOffered)) delete headers.accept
}
