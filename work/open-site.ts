import { baseUrlOf, type Settings } from '../core/settings.ts'
import { createPageParser } from '../crawler/page/parser.ts'
import { openSite, type Site, type SiteOptions } from '../crawler/site.ts'
import { userAgent } from '../crawler/user-agent.ts'
import about from '../package.json' with { type: 'json' }

/** One for all sites of the process: its threads start with the first page, and stay for the next. */
let parser: ReturnType<typeof createPageParser> | undefined

type Options = Omit<SiteOptions, 'privateHosts' | 'delayMs' | 'userAgent' | 'parser'>

/** Opens a site as the settings of the service say. */
export function openSiteFor(settings: Settings, options: Options): Site {
  parser ??= createPageParser()
  return openSite({
    ...options,
    privateHosts: settings.ALLOW_PRIVATE_HOSTS,
    delayMs: settings.AUDIT_DELAY_MS,
    userAgent: userAgent(about.version, baseUrlOf(settings)),
    parser,
  })
}
