import { Fault } from '../../core/errors.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import { parseDomainInput } from '../../core/sites/urls.ts'

/**
 * The states of a project that refuse jobs of the worker. Check in the order of this file, after the plan, and before
 * pages and quotas.
 */

/** @throws {Fault} `pitch_not_supported` */
export function refusePitch({ kind }: { readonly kind: string }): void {
  if (kind !== 'pitch') return
  throw new Fault('pitch_not_supported', 'A pitch project does not have this feature.')
}

/** @throws {Fault} `project_not_runnable` */
export function requireRunnable({ status }: { readonly status: string }): void {
  if (status === 'active') return
  throw new Fault('project_not_runnable', `The project is ${status}.`)
}

/**
 * @param privateHosts exceptions, whose names need not be registrable domains
 * @throws {Fault} `no_domain`
 */
export function requireDomain(
  { domain }: { readonly domain: string },
  privateHosts: readonly PrivateHost[],
): void {
  if (parseDomainInput(domain) === domain) return
  if (privateHosts.some(({ name }) => name === domain)) return
  throw new Fault('no_domain', `The project's domain "${domain}" is not the domain of a site.`)
}
