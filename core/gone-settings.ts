/** Settings of earlier versions that another setting has now; `{}` is the value. The service does not start with them. */
const moved: Readonly<Record<string, string>> = {
  CLICKHOUSE_CLUSTER: 'add `?cluster={}` to `CLICKHOUSE_URL`',
  NATS_REPLICAS: 'add `?replicas={}` to `NATS_URL`',
  NATS_BACKLOG_MB: 'add `?backlog_mb={}` to `NATS_URL`',
  S3_REGION:
    'set `S3_ENDPOINT=https://s3.{}.amazonaws.com` at Amazon, and add `?region={}` to `S3_ENDPOINT` elsewhere',
  BACKUP_KEEP: 'add `?keep={}` to `BACKUP_TO`',
  PERSISTED_DOCUMENTS_ONLY:
    'write `only:` before the file of `PERSISTED_DOCUMENTS` to refuse all other documents',
  CRAWLER_RANGES_SOURCE:
    'give the addresses as `ranges` in the list of `CRAWLERS_SOURCE`, in place of `{}`',
  METRICS_HOST: 'set `METRICS_PORT={}:4002`',
  RETENTION_ANSWERS_DAYS: 'set `RETENTION_DAYS=answers={}`',
  RETENTION_CRAWLER_HITS_DAYS: 'set `RETENTION_DAYS=crawler_hits={}`',
  RETENTION_ANALYTICS_DAYS: 'set `RETENTION_DAYS=analytics={}`',
  RETENTION_PAGE_CONTENTS_DAYS: 'set `RETENTION_DAYS=page_contents={}`',
  RETENTION_AUDITS_DAYS: 'set `RETENTION_DAYS=audits={}`',
  RETENTION_AUDIT_TRAIL_DAYS: 'set `RETENTION_DAYS=audit_trail={}`',
}

/** Settings of earlier versions whose value no longer changes, and what the value is. */
const fixed: Readonly<Record<string, string>> = {
  STREAMS_PER_KEY: 'a key may have 20 live streams open at one API',
  MAX_QUERY_COST: 'a GraphQL document may cost 300',
  QUERIES_PER_KEY: 'a key may run 4 queries in the warehouse at a time',
  QUESTIONS_PER_KEY: '4 questions go to a provider with one key at a time',
  MCP_CALLS_PER_KEY: 'a key may have 4 calls of tools under way',
  MAX_RESPONSE_MB: 'a response has up to 32 MB of rows',
  REPLY_MEMORY_MB: 'an API keeps up to 64 MB of finished replies',
  AUDIT_DELAY_MS:
    'audits wait 500 ms between two requests to a host, and not at all on hosts of `ALLOW_PRIVATE_HOSTS`',
  MAX_CONNECTIONS_PER_ADDRESS:
    'an address may have 1,000 connections open, and one of `TRUST_PROXY` all of them',
  MAX_CONNECTIONS: 'a port takes 4,000 connections',
  WATCHDOG_SECONDS:
    'a part that has not answered for 15 seconds is restarted, unless its inspector is open',
  GOOGLE_API_URL: 'Google is asked at its own addresses',
  BRIGHTDATA_DATASETS: 'the datasets are those of this version',
  BRIGHTDATA_ZONE: 'AI Overviews come through the zone `sdk_serp` of your account',
}

type Env = Readonly<Record<string, string | undefined>>

const linesOf = (env: Env, gone: Readonly<Record<string, string>>, link: string) =>
  Object.entries(gone).flatMap(([name, instead]) =>
    env[name]
      ? [`\`${name}\` is no longer a setting${link}${instead.replaceAll('{}', env[name])}.`]
      : [],
  )

/** What to set in place of settings that have moved, a sentence each. */
export const movedSettings = (env: Env): string[] => linesOf(env, moved, ': ')

/** Which settings have no effect, a sentence each. */
export const fixedSettings = (env: Env): string[] => linesOf(env, fixed, ', and has no effect: ')
