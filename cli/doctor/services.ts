import type { Settings } from '../../core/settings.ts'
import { whyNoSignIn } from '../../core/tool-sign-in.ts'
import { issuerProblem } from '../../web/sign-in/issuer.ts'
import { inspectNats } from './nats.ts'
import { type Check, failed, ok, warning } from './problem.ts'

const PROBE_MS = 3000

const reasonOf = ({ message, cause, ...error }: Error) =>
  (cause instanceof Error && (cause.message || (cause as NodeJS.ErrnoException).code)) ||
  message ||
  String((error as NodeJS.ErrnoException).code ?? 'no answer')

/** A URL without credentials and query. */
function shown(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** Asks each service that a setting names, all at once. Settings that are absent have no check. */
export async function inspectServices(settings: Settings): Promise<Check[]> {
  const { REDIS_URL, JUDGE_MODEL, OTEL_EXPORTER_OTLP_ENDPOINT: traces } = settings
  const checks = await Promise.all([
    REDIS_URL ? inspectRedis(REDIS_URL) : undefined,
    settings.NATS_URL ? inspectNats(settings.NATS_URL) : undefined,
    JUDGE_MODEL ? inspectJudge(settings, JUDGE_MODEL) : undefined,
    settings.OIDC_ISSUER ? inspectIssuer(settings.OIDC_ISSUER) : undefined,
    traces ? inspectUrl('traces', 'OTEL_EXPORTER_OTLP_ENDPOINT', traces) : undefined,
    settings.PUBLIC_URL?.startsWith('https:') ? inspectTls(settings.PUBLIC_URL) : undefined,
    inspectToolSignIn(settings),
  ])
  return checks.filter((check) => check !== undefined)
}

/** Whether people can connect AI clients by signing in. Who turned it off knows. */
function inspectToolSignIn(settings: Settings): Check | undefined {
  const reason = settings.MCP_AUTH === 'keys' ? undefined : whyNoSignIn(settings)
  if (reason === undefined) return undefined
  const mend =
    'Set `PUBLIC_URL` to an https address without a path, or `MCP_AUTH=keys` to leave it off.'
  return warning('tools', `AI clients connect with API keys alone: ${reason}.`, mend)
}

/** The server of REDIS_URL must answer and take writes. */
async function inspectRedis(url: string): Promise<Check> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: PROBE_MS,
    commandTimeout: PROBE_MS,
  })
  let reason = ''
  client.on('error', (error: Error) => {
    reason ||= reasonOf(error)
  })
  try {
    await client.connect()
    const server = await client.info('server')
    const [, role = ''] = /^role:(\w+)/m.exec(await client.info('replication')) ?? []
    const [, version = ''] = /^redis_version:(\S+)/m.exec(server) ?? []
    const place = `Redis ${version} at ${new URL(url).host}`
    if (role !== 'slave') return ok('redis', place)
    const mend = 'Set REDIS_URL to the primary server.'
    return failed('redis', `${place} is a replica and takes no writes.`, mend)
  } catch (error) {
    const mend = 'Start the server, or correct REDIS_URL. Until then requests are not counted.'
    const why = reason || reasonOf(error as Error)
    return failed('redis', `The server of REDIS_URL does not answer: ${why}`, mend)
  } finally {
    client.disconnect()
  }
}

/** Lists the models of the judge, which costs nothing. */
async function inspectJudge(settings: Settings, model: string): Promise<Check> {
  const { judgeAddress } = await import('../../imports/judge/client.ts')
  const base = judgeAddress(settings)
  const at = `The judge at ${new URL(base).host}`
  const headers: HeadersInit = settings.JUDGE_API_KEY
    ? { authorization: `Bearer ${settings.JUDGE_API_KEY}` }
    : {}
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const answer = await fetch(`${base.replace(/\/+$/, '')}/models`, { headers, signal })
    if (answer.status === 401 || answer.status === 403) {
      const problem = `${at} refuses JUDGE_API_KEY with status ${answer.status}.`
      return failed('judge', problem, 'Set JUDGE_API_KEY to a valid key of the provider.')
    }
    // Not every server lists its models.
    const list = answer.ok ? await answer.json().catch(() => null) : null
    await answer.body?.cancel().catch(() => undefined)
    const models: unknown = list?.data
    if (answer.status >= 500) {
      const problem = `${at} answers with status ${answer.status}.`
      return failed('judge', problem, 'Try again later, or correct JUDGE_URL.')
    }
    const isListed = !Array.isArray(models) || models.some((each) => each?.id === model)
    if (isListed) return ok('judge', `${model} at ${new URL(base).host}`)
    return failed('judge', `${at} has no model \`${model}\`.`, 'Correct JUDGE_MODEL.')
  } catch (error) {
    const problem = `${at} does not answer: ${reasonOf(error as Error)}`
    return failed('judge', problem, 'Start the server, or correct JUDGE_URL.')
  }
}

/** Any answer will do: a path may exist for other methods only. */
async function inspectUrl(name: string, setting: string, url: string): Promise<Check> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const answer = await fetch(url, { method: 'HEAD', redirect: 'manual', signal })
    await answer.body?.cancel()
    return ok(name, `answers at ${shown(url)}`)
  } catch (error) {
    const problem = `${shown(url)} of ${setting} does not answer: ${reasonOf(error as Error)}`
    return failed(name, problem, `Start the server, or correct ${setting}.`)
  }
}

/** The provider of OIDC_ISSUER must describe itself. */
async function inspectIssuer(issuer: string): Promise<Check> {
  const problem = await issuerProblem(issuer)
  if (problem === undefined) return ok('sign-in', `answers at ${shown(issuer)}`)
  const mend = 'Start the provider, or correct OIDC_ISSUER. Until then sign-ins fail.'
  return failed('sign-in', `The provider of OIDC_ISSUER ${problem}.`, mend)
}

const dayMs = 24 * 3600 * 1000

/** The certificate of PUBLIC_URL. A private network may hide the address from this machine: a warning only. */
async function inspectTls(url: string): Promise<Check> {
  const { connect } = await import('node:tls')
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve } = Promise.withResolvers<Check>()
  const away = (why: string) =>
    warning('tls', `PUBLIC_URL does not answer here: ${why}`, 'Try it from outside, or correct it.')
  const options = { host, port: Number(port || 443), rejectUnauthorized: false, timeout: PROBE_MS }
  // An address has no server name.
  const socket = connect({ ...options, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) })
  socket.once('error', (error) => resolve(away(reasonOf(error))))
  socket.once('timeout', () => resolve(away('no answer')))
  socket.once('secureConnect', () => {
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs)
    const mend = 'Renew the certificate of the proxy in front of Sightline.'
    if (socket.authorizationError) {
      const why = String(socket.authorizationError)
      resolve(failed('tls', `Clients refuse the certificate of PUBLIC_URL: ${why}`, mend))
    } else if (days < 14) {
      resolve(warning('tls', `The certificate of PUBLIC_URL expires in ${days} days.`, mend))
    } else resolve(ok('tls', `the certificate of PUBLIC_URL is valid for ${days} days`))
  })
  return promise.finally(() => socket.destroy())
}
