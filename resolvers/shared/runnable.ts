import { Fault } from '../../core/errors.ts'
import { parseDomainInput } from '../../core/sites/urls.ts'
import type { ProjectRecord } from '../projects/projects.ts'

/**
 * The states of a project that refuse the work of the worker. Check in the order of this file, after the plan, and
 * before pages and quotas.
 */

/** @throws {Fault} `pitch_not_supported` */
export function refusePitch({ kind }: Pick<ProjectRecord, 'kind'>): void {
  if (kind !== 'pitch') return
  throw new Fault('pitch_not_supported', 'A pitch project has no such operation.')
}

/** @throws {Fault} `project_not_runnable` */
export function requireRunnable({ status }: Pick<ProjectRecord, 'status'>): void {
  if (status === 'active') return
  throw new Fault('project_not_runnable', `The project is ${status}.`)
}

/**
 * @param isPrivateHost whether ALLOW_PRIVATE_HOSTS names the domain, which then need not be a public one
 * @throws {Fault} `no_domain`
 */
export function requireDomain(
  { domain }: Pick<ProjectRecord, 'domain'>,
  isPrivateHost: (host: string) => boolean,
): void {
  if (parseDomainInput(domain) === domain || isPrivateHost(domain)) return
  throw new Fault('no_domain', `The project's domain "${domain}" is no domain of a site.`)
}
