import { readFile } from 'node:fs/promises'
import { Fault, invalid } from '../../core/errors.ts'
import { resolveWindow } from '../../core/window.ts'
import type { RowsResult } from '../../imports/analytics/dated-rows.ts'
import { GoogleRefusal, openGoogle } from '../../imports/analytics/google.ts'
import { googleScopes, pullSearchConsole, pullWebAnalytics } from '../../imports/analytics/pull.ts'
import { noProject } from '../../imports/loads/loads.ts'
import {
  type AnalyticsKind,
  linkAnalytics,
  linkedName,
  noteProblem,
} from '../../resolvers/connections/analytics.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { isUuid } from '../../resolvers/shared/ids.ts'
import { CliError } from '../errors.ts'
import type { Stores } from '../stores.ts'

export interface Pull {
  readonly kind: AnalyticsKind
  readonly projectId: string
  /** The path of a service account's key. */
  readonly credentials: string
  /** The site or the property. Default: the linked one. */
  readonly name: string | undefined
  /** The number of days, ending today. */
  readonly days: number
  readonly baseUrl: string | undefined
  readonly signal: AbortSignal
}

/** Google keeps rows for 16 months. */
const rule = { defaultDays: 28, maxDays: 486 }

/**
 * Loads Google's rows of the last days, and links the project. The link records a refusal until the next success.
 * @throws {Fault} `gsc_access_denied`, `gsc_site_not_linked`, `invalid_argument`; else as the imports do
 */
export async function pull(stores: Stores, options: Pull): Promise<RowsResult> {
  const { kind, projectId, days, baseUrl, signal } = options
  const { db } = stores
  const credentials = await readCredentials(options.credentials)
  const name = await nameOf(stores, options)
  const ask = openGoogle({ credentials, scope: googleScopes[kind], baseUrl, signal })
  const window = resolveWindow({ days }, rule, new Date())
  const link = () => linkAnalytics(db, commandLine, projectId, kind, name)
  const load = kind === 'searchConsole' ? pullSearchConsole : pullWebAnalytics
  try {
    const result = await load(stores, { projectId, ask, window, name, begin: link, signal })
    await noteProblem(db, projectId, kind, null)
    return result
  } catch (error) {
    if (!(error instanceof GoogleRefusal)) throw error
    // Web analytics is linked only after its first report.
    if (kind === 'searchConsole') await link()
    await noteProblem(db, projectId, kind, error.problem)
    throw faultOf(kind, error)
  }
}

async function readCredentials(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const message = `${path} cannot be read: ${(cause as Error).message}`
    throw new CliError('file_not_readable', message, { cause })
  }
}

async function nameOf({ db }: Stores, { kind, projectId, name }: Pull): Promise<string> {
  const project = isUuid(projectId)
    ? await db.project.findUnique({ where: { id: projectId } })
    : null
  if (!project) throw noProject(projectId)
  const linked = (await linkedName(db, projectId, kind))?.host
  if (kind === 'searchConsole') return name ?? linked ?? `sc-domain:${project.domain}`
  const property = (name ?? linked)?.replace(/^properties\//, '')
  if (property === undefined)
    throw invalid('property', 'is required: the project has no linked property')
  if (!/^\d+$/.test(property))
    throw invalid('property', `must be the number of a property; got \`${property}\``)
  return property
}

function faultOf(kind: AnalyticsKind, cause: GoogleRefusal): Error {
  if (kind === 'webAnalytics') return invalid('property', cause.message)
  const code = cause.problem === 'accessDenied' ? 'gsc_access_denied' : 'gsc_site_not_linked'
  return new Fault(code, cause.message, { cause })
}
