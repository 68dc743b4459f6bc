import { domainOf } from '../core/sites/urls.ts'

/** Whether a host belongs to one of the registrable domains of the brand. */
export type IsOwn = (url: URL) => boolean

export function ownHosts(domains: readonly string[]): IsOwn {
  const own = new Set(domains)
  return ({ hostname }) => own.has(domainOf(hostname.replace(/\.$/, '')))
}
