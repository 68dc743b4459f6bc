import { z } from 'zod'
import { type KeepRule, keepRuleOf, usualKeepRule } from './backups.ts'
import { clusterOf } from './clickhouse-url.ts'
import { movedSettings } from './gone-settings.ts'
import { areNatsUrls } from './nats-url.ts'
import { parseProxies } from './proxies.ts'
import { type KeptKind, keptKinds, type Retention } from './retention.ts'
import { fieldSentence, oneOfRule, wholeNumberRule, withGot } from './rule-text.ts'
import { regionOf } from './s3-endpoint.ts'
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
/** Where backups go, and which of them stay. */
export interface BackupPlan {
  readonly place: string
  readonly keep: KeepRule
}

/** A place with or without `?keep=` and numbers of backups. */
const backupPlan = z.string().transform((text, context): BackupPlan => {
  const [, place = '', rule] = /^(.+?)(?:\?keep=(.*))?$/.exec(text) ?? []
  const keep = rule === undefined ? usualKeepRule : keepRuleOf(rule)
  if (keep !== null) return { place, keep }
  const message =
    'must have as `keep` numbers of daily, weekly and monthly backups, at least one daily, such as `?keep=7,4,12`'
  context.addIssue({ code: 'custom', message: withGot(message, text) })
  return z.NEVER
})

/** A file of documents, and whether no others run. */
export interface PersistedDocuments {
  readonly file: string
  readonly isOnly: boolean
}

const persistedDocuments = z.string().transform((text, context): PersistedDocuments => {
  const [, only, file = ''] = /^(only:)?(.*)$/.exec(text) ?? []
  if (file !== '') return { file, isOnly: only !== undefined }
  context.addIssue({ code: 'custom', message: 'must be a file, such as `only:documents.json`' })
  return z.NEVER
})

/** The region goes into signatures. */
const s3Endpoint = url('http:', 'https:').refine(
  (text) => !URL.canParse(text) || /^[\w-]{1,100}$/.test(regionOf(text)),
  { message: 'must have a `region` of letters, digits and `-`' },
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

/** Servers of one cluster, separated by commas. */
const natsUrls = z.string().refine(areNatsUrls, {
  message:
    'must be URLs that start with nats:// or tls://, separated by commas; they may have `?replicas=` 1, 3 or 5 and `backlog_mb=` from 16',
})

/** The name of a cluster goes into statements. */
const clickhouseUrl = url('http:', 'https:').refine(
  (text) => !URL.canParse(text) || /^(?:[A-Za-z_]\w{0,63})?$/.test(clusterOf(text) ?? ''),
  { message: 'must have a `cluster` of letters, digits and `_`' },
)

/** A port of this machine, or a port of an address. */
const portOfAddress = z.string().transform((text, context) => {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  if (digits !== '' && Number(digits) <= 65535) {
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(digits) }
  }
  const message = 'must be a port, or an address and a port, such as `0.0.0.0:4002`'
  context.addIssue({ code: 'custom', message: withGot(message, text) })
  return z.NEVER
})

const nameOfKind = (kind: KeptKind) =>
  kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const kindByName = new Map(keptKinds.map((kind) => [nameOfKind(kind), kind]))

/** Days for which kinds of data are kept, such as `answers=400,audit_trail=90`. */
const retentionDays = z.string().transform((text, context): Partial<Record<KeptKind, number>> => {
  const pairs = text.split(',').map((pair) => {
    const [, name = '', days = ''] = /^(\w+)=(\d{1,5})$/.exec(pair.trim()) ?? []
    return [kindByName.get(name), Number(days)] as const
  })
  if (pairs.every(([kind, days]) => kind !== undefined && days >= 1 && days <= 36_500)) {
    return Object.fromEntries(pairs)
  }
  const names = [...kindByName.keys()].join(', ')
  const message = `must be days from 1 to 36500 of ${names}, such as \`answers=400,audit_trail=90\``
  context.addIssue({ code: 'custom', message: withGot(message, text) })
  return z.NEVER
})

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
  METRICS_PORT: portOfAddress.optional(),
  DATA_DIR: z.string().min(1).default('.sightline'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  CLICKHOUSE_URL: clickhouseUrl.optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  NATS_URL: natsUrls.optional(),
  SIGHTLINE_DEMO: oneOf(['0', '1']).default('1'),
  PUBLIC_URL: url('http:', 'https:').optional(),
  CRAWLERS_SOURCE: fileOrUrl.optional(),
  ALLOW_PRIVATE_HOSTS: privateHosts.default([]),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  MCP_AUTH: oneOf(['embedded', 'keys']).default('embedded'),
  CORS_ORIGINS: origins.default([]),
  WAREHOUSE_MEMORY_MB: wholeNumber(500, 999_999).default(1400),
  TRUST_PROXY: proxies.default([]),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  PERSISTED_DOCUMENTS: persistedDocuments.optional(),
  JUDGE_MODEL: z.string().min(1).max(200).optional(),
  JUDGE_URL: url('http:', 'https:').optional(),
  JUDGE_API_KEY: apiKey.optional(),
  OIDC_ISSUER: url('http:', 'https:').optional(),
  OIDC_CLIENT_ID: z.string().min(1).max(500).optional(),
  OIDC_CLIENT_SECRET: apiKey.optional(),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: sender.optional(),
  S3_ENDPOINT: s3Endpoint.optional(),
  S3_ACCESS_KEY_ID: apiKey.optional(),
  S3_SECRET_ACCESS_KEY: apiKey.optional(),
  BACKUP_TO: backupPlan.optional(),
  RETENTION_DAYS: retentionDays.default({}),
})

const schema = settings.superRefine((given, context) => {
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
export function retentionOf({ RETENTION_DAYS }: Pick<Settings, 'RETENTION_DAYS'>): Retention {
  const days = keptKinds.map((kind) => [kind, RETENTION_DAYS[kind] ?? null] as const)
  return Object.fromEntries(days) as Record<KeptKind, number | null>
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
  const moved = movedSettings(given)
  const result = schema.safeParse(given)
  if (result.success && moved.length === 0) return result.data
  const issues = result.error?.issues ?? []
  throw new SettingsError([
    ...moved,
    ...issues.map((issue) => fieldSentence(issue.path.join('.'), issue.message)),
  ])
}
