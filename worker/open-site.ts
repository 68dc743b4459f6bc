import { baseUrlOf, type Settings } from '../core/settings.ts'
import about from '../package.json' with { type: 'json' }
import { type ExternalLinks, openExternalLinks } from '../site/external-links.ts'
import { lookupAll, type Resolve } from '../site/guard/guard.ts'
import { createHostTurns } from '../site/net/host-turns.ts'
import { createPageParser } from '../site/page/parser.ts'
import { openSite, type Site, type SiteOptions } from '../site/site.ts'
import { userAgent } from '../site/user-agent.ts'
import type { ServedSite, WorkSources } from './job.ts'

/** One for all sites of the process: its threads start with the first page, and stay for the next. */
let parser: ReturnType<typeof createPageParser> | undefined
/** The turns of all hosts: audits of one process that meet a host ask it as one. */
const hostTurns = createHostTurns()

/** Pause between the starts of two requests to one host, in milliseconds. */
const delayMs = 500

/** A host on a private network is the operator's own, and has no visitors to slow down. */
const delayFor =
  ({ ALLOW_PRIVATE_HOSTS }: Settings) =>
  (host: string) =>
    ALLOW_PRIVATE_HOSTS.some(({ name }) => name === host) ? 0 : delayMs

type Options = Omit<SiteOptions, 'privateHosts' | 'delayOf' | 'userAgent' | 'parser' | 'hostTurns'>

/** Names of a served site exist only where they are served: DNS is not asked for them. */
function lookupBeside({ domain }: ServedSite): Resolve {
  return async (name) => (name === domain || name.endsWith(`.${domain}`) ? [] : lookupAll(name))
}

export interface OpenedSite {
  readonly site: Site
  readonly externalLinks: ExternalLinks
  close(): Promise<void>
}

/**
 * Opens the site of a project as the settings of the service say. A site that the worker serves itself is opened for
 * its own project alone, and needs no pauses, as one on a private network.
 */
export async function openSiteFor(
  { settings, serveSite }: WorkSources,
  projectId: string,
  options: Options,
): Promise<OpenedSite> {
  parser ??= createPageParser()
  const served = (await serveSite?.(projectId)) ?? null
  const delayOf = delayFor(settings)
  const client = {
    privateHosts: [...settings.ALLOW_PRIVATE_HOSTS, ...(served?.hosts ?? [])],
    ...(served === null ? {} : { lookup: lookupBeside(served) }),
    userAgent: userAgent(about.version, baseUrlOf(settings)),
    hostTurns,
    ...(options.signal && { signal: options.signal }),
  }
  const site = openSite({
    ...options,
    ...client,
    delayOf: served === null ? delayOf : () => 0,
    parser,
  })
  const externalLinks = openExternalLinks({ ...client, delayOf })
  return { site, externalLinks, close: async () => served?.close() }
}
