import { z } from 'zod'
import { keepRuleOf } from './backups.ts'
import { isSurfaceName } from './collecting/providers/surfaces/names.ts'
import { parseProxies } from './proxies.ts'
import type { Retention } from './retention.ts'
import { fieldSentence, oneOfRule, wholeNumberRule, withGot } from './rule-text.ts'
import { parsePrivateHosts } from './sites/private-hosts.ts'

/** The error of a setting that holds no secret: its rule and the value. Errors of other settings never show a value. */
const showing = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => withGot(rule, input),
})

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most,
      showing(wholeNumberRule(least, most)),
    )
    .transform(Number)
const port = wholeNumber(0, 65535)
/** One of some words. */
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, showing(oneOfRule(words)))
const url = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    message: `must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  })
/** A file path or an http(s) URL without a password. Another kind of URL is a mistake. */
const fileOrUrl = z.string().refine(
  (text) => {
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true
    if (!URL.canParse(text)) return false
    const { protocol, username, password } = new URL(text)
    return /^https?:$/.test(protocol) && `${username}${password}` === ''
  },
  { message: 'must be a file, or a URL that starts with http:// or https:// and has no password' },
)
const privateHosts = z.string().transform((text, context) => {
  const hosts = parsePrivateHosts(text)
  if (hosts !== null) return hosts
  context.addIssue({
    code: 'custom',
    message: 'must be `name[:port][=ip:port]`, separated by commas, such as `shop.test:80`',
  })
  return z.NEVER
})
const keepRule = z
  .string()
  .refine(
    (text) => keepRuleOf(text) !== null,
    showing(
      'must be numbers of daily, weekly and monthly backups, at least one daily, such as `7,4,12`',
    ),
  )
const proxies = z.string().transform((text, context) => {
  const found = parseProxies(text)
  if (found !== null) return found
  context.addIssue({
    code: 'custom',
    message: 'must be addresses or ranges separated by commas, such as `10.0.0.1,192.168.0.0/16`',
  })
  return z.NEVER
})
const datasets = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const pairs = text.split(',').map((pair) => /^(\w+)=(gd_\w+)$/.exec(pair.trim()))
  if (pairs.every((pair) => pair && isSurfaceName(pair[1] ?? ''))) {
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
  }
  context.addIssue({
    code: 'custom',
    message: 'must be `surface=gd_…`, separated by commas, such as `chatgpt=gd_m7aof0k82r803d5bjm`',
  })
  return z.NEVER
})
/** A longer pause makes an audit of many pages run out of its time. */
const mostDelayMs = 60_000

/** Origins as browsers send them, such as `https://app.example.com`, or `*`. */
const origins = z.string().transform((text, context) => {
  const given = text.split(',').map((origin) => origin.trim())
  const isOrigin = (origin: string) =>
    origin === '*' || (/^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin)
  if (given.every(isOrigin)) return given
  context.addIssue({
    code: 'custom',
    message: 'must be `*`, or origins separated by commas, such as `https://app.example.com`',
  })
  return z.NEVER
})

/** Days that are kept; absent to keep all. */
const retentionDays = wholeNumber(1, 36_500).optional()

/** Servers of one cluster, separated by commas. */
const natsUrls = z.string().refine(
  (text) =>
    text.split(',').every((given) => {
      const server = URL.parse(given.trim())
      return server !== null && /^(?:nats|tls):$/.test(server.protocol) && server.host !== ''
    }),
  { message: 'must be URLs that start with nats:// or tls://, separated by commas' },
)

/** A name of the server's configuration, which goes into statements. */
const clusterName = z
  .string()
  .regex(/^[A-Za-z_]\w{0,63}$/, showing('must be a name of letters, digits and `_`'))

/** A secret: its error never shows the value. It goes into a header. */
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { message: 'must be of visible ASCII characters, without spaces' })

/** An address, alone or as `Name <address>`. A line break would begin another header. */
const sender = z.string().regex(/^(?:[^<>\r\n"]+ <[^\s<>@"]+@[^\s<>@"]+>|[^\s<>@"]+@[^\s<>@"]+)$/, {
  message: 'must be an address, such as `Sightline <sightline@example.com>`',
})

const settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(4000),
  TRACKER_PORT: port.default(4001),
  TRACKER_PROCESSES: wholeNumber(1, 64).default(1),
  TRACKER_URL: url('http:', 'https:').optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  DATA_DIR: z.string().min(1).default('.sightline'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  CLICKHOUSE_URL: url('http:', 'https:').optional(),
  CLICKHOUSE_CLUSTER: clusterName.optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  NATS_URL: natsUrls.optional(),
  NATS_REPLICAS: z
    .enum(['1', '3', '5'], showing(oneOfRule(['1', '3', '5'])))
    .default('1')
    .transform(Number),
  NATS_BACKLOG_MB: wholeNumber(16, 999_999).default(1024),
  SIGHTLINE_DEMO: oneOf(['0', '1']).default('1'),
  PUBLIC_URL: url('http:', 'https:').optional(),
  CRAWLERS_SOURCE: fileOrUrl.optional(),
  CRAWLER_RANGES_SOURCE: fileOrUrl.optional(),
  GOOGLE_API_URL: url('http:', 'https:').optional(),
  ALLOW_PRIVATE_HOSTS: privateHosts.default([]),
  AUDIT_DELAY_MS: wholeNumber(0, mostDelayMs).default(500),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  STREAMS_PER_KEY: wholeNumber(1, 10_000).default(20),
  MAX_QUERY_COST: wholeNumber(1, 600).default(300),
  QUERIES_PER_KEY: wholeNumber(1, 1000).default(4),
  QUESTIONS_PER_KEY: wholeNumber(1, 64).default(4),
  BRIGHTDATA_DATASETS: datasets.default({}),
  BRIGHTDATA_ZONE: z
    .string()
    .regex(/^\w{1,100}$/)
    .default('sdk_serp'),
  MCP_AUTH: oneOf(['embedded', 'keys']).default('embedded'),
  MCP_CALLS_PER_KEY: wholeNumber(1, 64).default(4),
  CORS_ORIGINS: origins.default([]),
  WATCHDOG_SECONDS: wholeNumber(2, 600).default(15),
  MAX_RESPONSE_MB: wholeNumber(1, 256).default(32),
  REPLY_MEMORY_MB: wholeNumber(0, 100_000).default(64),
  WAREHOUSE_MEMORY_MB: wholeNumber(500, 999_999).default(1400),
  MAX_CONNECTIONS: wholeNumber(10, 100_000).default(4000),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 100_000).default(1000),
  TRUST_PROXY: proxies.default([]),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  PERSISTED_DOCUMENTS: z.string().min(1).optional(),
  PERSISTED_DOCUMENTS_ONLY: oneOf(['0', '1']).default('0'),
  JUDGE_MODEL: z.string().min(1).max(200).optional(),
  JUDGE_URL: url('http:', 'https:').optional(),
  JUDGE_API_KEY: apiKey.optional(),
  OIDC_ISSUER: url('http:', 'https:').optional(),
  OIDC_CLIENT_ID: z.string().min(1).max(500).optional(),
  OIDC_CLIENT_SECRET: apiKey.optional(),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: sender.optional(),
  S3_ENDPOINT: url('http:', 'https:').optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,100}$/, showing('must be a name of letters, digits and `-`'))
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: apiKey.optional(),
  S3_SECRET_ACCESS_KEY: apiKey.optional(),
  BACKUP_TO: z.string().min(1).optional(),
  BACKUP_KEEP: keepRule.default('7,4,12'),
  RETENTION_ANSWERS_DAYS: retentionDays,
  RETENTION_CRAWLER_HITS_DAYS: retentionDays,
  RETENTION_ANALYTICS_DAYS: retentionDays,
  RETENTION_PAGE_CONTENTS_DAYS: retentionDays,
  RETENTION_AUDITS_DAYS: retentionDays,
  RETENTION_AUDIT_TRAIL_DAYS: retentionDays,
})

const schema = settings.superRefine((given, context) => {
  const { PERSISTED_DOCUMENTS, PERSISTED_DOCUMENTS_ONLY } = given
  if (PERSISTED_DOCUMENTS === undefined && PERSISTED_DOCUMENTS_ONLY === '1') {
    const message = 'must be a file of documents when `PERSISTED_DOCUMENTS_ONLY` is `1`'
    context.addIssue({ code: 'custom', path: ['PERSISTED_DOCUMENTS'], message })
  }
  if (given.CLICKHOUSE_CLUSTER !== undefined && given.CLICKHOUSE_URL === undefined) {
    const message = 'must be the URL of a server of the cluster when `CLICKHOUSE_CLUSTER` is set'
    context.addIssue({ code: 'custom', path: ['CLICKHOUSE_URL'], message })
  }
  const { JUDGE_MODEL, JUDGE_URL, JUDGE_API_KEY } = given
  if (JUDGE_MODEL !== undefined && JUDGE_URL === undefined && JUDGE_API_KEY === undefined) {
    const message = 'must be a key of OpenAI when `JUDGE_MODEL` is set without `JUDGE_URL`'
    context.addIssue({ code: 'custom', path: ['JUDGE_API_KEY'], message })
  }
  if (given.S3_ACCESS_KEY_ID !== undefined && given.S3_SECRET_ACCESS_KEY === undefined) {
    const message = 'must be the secret of `S3_ACCESS_KEY_ID`'
    context.addIssue({ code: 'custom', path: ['S3_SECRET_ACCESS_KEY'], message })
  }
  if (given.SMTP_URL !== undefined && given.MAIL_FROM === undefined) {
    const message = 'must be the address that mails come from when `SMTP_URL` is set'
    context.addIssue({ code: 'custom', path: ['MAIL_FROM'], message })
  }
  if (given.OIDC_ISSUER !== undefined && given.OIDC_CLIENT_ID === undefined) {
    const message = 'must be the client that the provider of `OIDC_ISSUER` knows'
    context.addIssue({ code: 'custom', path: ['OIDC_CLIENT_ID'], message })
  }
})

export type Settings = z.infer<typeof schema>

/** The URL of the warehouse as all code takes it: with the name of the cluster. */
function withCluster(given: Settings): Settings {
  const { CLICKHOUSE_URL, CLICKHOUSE_CLUSTER } = given
  if (CLICKHOUSE_URL === undefined || CLICKHOUSE_CLUSTER === undefined) return given
  const url = new URL(CLICKHOUSE_URL)
  url.searchParams.set('cluster', CLICKHOUSE_CLUSTER)
  return { ...given, CLICKHOUSE_URL: url.href }
}

/** The URL of the API for clients, without a slash at the end. */
export function baseUrlOf({ PUBLIC_URL, HOST, PORT }: Settings): string {
  const local = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
  return (PUBLIC_URL ?? local).replace(/\/$/, '')
}

/** The URL of the tracker for the servers of sites, without a slash at the end. */
export function trackerUrlOf(settings: Settings): string {
  const { TRACKER_URL, TRACKER_PORT } = settings
  const { protocol, hostname } = new URL(baseUrlOf(settings))
  return (TRACKER_URL ?? `${protocol}//${hostname}:${TRACKER_PORT}`).replace(/\/$/, '')
}

/** Days for which the service keeps data at most. */
export function retentionOf(settings: Settings): Retention {
  return {
    answers: settings.RETENTION_ANSWERS_DAYS ?? null,
    crawlerHits: settings.RETENTION_CRAWLER_HITS_DAYS ?? null,
    analytics: settings.RETENTION_ANALYTICS_DAYS ?? null,
    pageContents: settings.RETENTION_PAGE_CONTENTS_DAYS ?? null,
    audits: settings.RETENTION_AUDITS_DAYS ?? null,
    auditTrail: settings.RETENTION_AUDIT_TRAIL_DAYS ?? null,
  }
}

/** All faults of the settings, one line each. */
export class SettingsError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/**
 * Settings from environment variables, all optional. An empty variable counts as absent.
 * @throws {SettingsError} lists every fault at once
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  if (result.success) return withCluster(result.data)
  throw new SettingsError(
    result.error.issues.map((issue) => fieldSentence(issue.path.join('.'), issue.message)),
  )
}
