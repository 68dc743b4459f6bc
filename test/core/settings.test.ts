import { describe, expect, test } from 'vitest'
import { fixedSettings } from '../../core/gone-settings.ts'
import { natsParams } from '../../core/nats-url.ts'
import { regionOf } from '../../core/s3-endpoint.ts'
import { readSettings, SettingsError, trackerUrlOf } from '../../core/settings.ts'

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.faults
    throw error
  }
}

describe('settings', () => {
  test('are all optional', () => {
    expect(readSettings({})).toEqual({
      HOST: '127.0.0.1',
      PORT: 4000,
      TRACKER_PORT: 4001,
      TRACKER_PROCESSES: 1,
      DATA_DIR: '.sightline',
      SIGHTLINE_DEMO: '1',
      ALLOW_PRIVATE_HOSTS: [],
      LOG_LEVEL: 'info',
      MCP_AUTH: 'embedded',
      CORS_ORIGINS: [],
      WAREHOUSE_MEMORY_MB: 1400,
      TRUST_PROXY: [],
      RETENTION_DAYS: {},
    })
  })

  test('that are empty count as absent', () => {
    const empty = {
      HOST: '',
      PORT: '',
      TRACKER_PORT: '',
      TRACKER_PROCESSES: '',
      METRICS_PORT: '',
      DATA_DIR: '',
      DATABASE_URL: '',
      CLICKHOUSE_URL: '',
      REDIS_URL: '',
      SIGHTLINE_DEMO: '',
      PUBLIC_URL: '',
      CRAWLERS_SOURCE: '',
      ALLOW_PRIVATE_HOSTS: '',
      LOG_LEVEL: '',
      CORS_ORIGINS: '',
      WAREHOUSE_MEMORY_MB: '',
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      PERSISTED_DOCUMENTS: '',
      JUDGE_MODEL: '',
      JUDGE_URL: '',
      JUDGE_API_KEY: '',
      NATS_URL: '',
      OIDC_ISSUER: '',
      OIDC_CLIENT_ID: '',
      OIDC_CLIENT_SECRET: '',
      RETENTION_DAYS: '',
    }
    expect(readSettings(empty)).toEqual(readSettings({}))
  })

  test('that are undefined count as absent', () => {
    expect(readSettings({ PORT: undefined, REDIS_URL: undefined })).toEqual(readSettings({}))
  })

  test.each(['answers=0', 'answers=36501', 'answers', 'prompts=30', '30', 'answers=30;audits=30'])(
    'of retention are kinds with days, at least one: %s is refused',
    (RETENTION_DAYS) => {
      const [fault] = faultsOf({ RETENTION_DAYS })
      expect(fault).toMatch(
        /^`RETENTION_DAYS` must be days from 1 to 36500 of answers, crawler_hits, .+; got `.+`\.$/,
      )
    },
  )

  test.each([
    ['4002', '127.0.0.1'],
    ['0.0.0.0:4002', '0.0.0.0'],
    ['[::]:4002', '::'],
  ])('metrics are at a port of this machine, or of an address: %s', (METRICS_PORT, host) => {
    expect(readSettings({ METRICS_PORT }).METRICS_PORT).toEqual({ host, port: 4002 })
  })

  test.each(['65536', 'localhost', ':4002', '4002:0.0.0.0'])(
    'metrics cannot be at %s',
    (METRICS_PORT) => {
      expect(faultsOf({ METRICS_PORT })[0]).toContain('must be a port, or an address and a port')
    },
  )

  test('of NATS and of a cluster are parameters of their URLs', () => {
    expect(natsParams('nats://a:4222,nats://b:4222?replicas=3&backlog_mb=15000')).toEqual({
      replicas: 3,
      backlogMb: 15_000,
    })
    expect(natsParams('nats://a:4222')).toEqual({})
    const wrong = ['nats://a?replicas=2', 'nats://a?backlog_mb=1', 'nats://a?replica=3', 'a:4222']
    for (const NATS_URL of wrong) expect(faultsOf({ NATS_URL })).toHaveLength(1)
    const [fault] = faultsOf({ CLICKHOUSE_URL: 'http://a:8123?cluster=a-b' })
    expect(fault).toBe('`CLICKHOUSE_URL` must have a `cluster` of letters, digits and `_`.')
  })

  test('that have moved stop the start, with what to set in their place', () => {
    expect(
      faultsOf({ CLICKHOUSE_CLUSTER: 'main', RETENTION_AUDITS_DAYS: '30', PORT: 'x' }),
    ).toEqual([
      '`CLICKHOUSE_CLUSTER` is no longer a setting: add `?cluster=main` to `CLICKHOUSE_URL`.',
      '`RETENTION_AUDITS_DAYS` is no longer a setting: set `RETENTION_DAYS=audits=30`.',
      '`PORT` must be a whole number from 0 to 65535; got `x`.',
    ])
  })

  test('that have no effect any more are named with the value that holds', () => {
    expect(fixedSettings({ STREAMS_PER_KEY: '50', AUDIT_DELAY_MS: '' })).toEqual([
      '`STREAMS_PER_KEY` is no longer a setting, and has no effect: a key may have 20 live streams open at one API.',
    ])
    expect(readSettings({ STREAMS_PER_KEY: '50' })).toEqual(readSettings({}))
  })

  test('of other programs are ignored', () => {
    expect(readSettings({ PATH: '/bin', HOME: '/root' })).toEqual(readSettings({}))
  })

  test('that are given are read', () => {
    const given = {
      HOST: '::',
      PORT: '0',
      TRACKER_PORT: '65535',
      TRACKER_PROCESSES: '64',
      METRICS_PORT: '0.0.0.0:4002',
      DATA_DIR: '/var/lib/sightline',
      DATABASE_URL: 'postgresql://user:pass@db:5432/sightline?sslmode=require',
      CLICKHOUSE_URL: 'https://user:pass@warehouse:8443/sightline',
      REDIS_URL: 'rediss://redis:6379/2',
      SIGHTLINE_DEMO: '0',
      PUBLIC_URL: 'https://sightline.example.com/base',
      CRAWLERS_SOURCE: 'https://lists.example.com/bots.json?token=t',
      ALLOW_PRIVATE_HOSTS: 'Shop.Test:80=127.0.0.1:8700, intranet.example.com,x.test=[::1]:81',
      LOG_LEVEL: 'debug',
      MCP_AUTH: 'keys',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
      WAREHOUSE_MEMORY_MB: '4000',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      PERSISTED_DOCUMENTS: 'only:documents.json',
      JUDGE_MODEL: 'mistral-small-latest',
      JUDGE_URL: 'https://api.mistral.ai/v1',
      JUDGE_API_KEY: 'sk-0123456789',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'sightline',
      OIDC_CLIENT_SECRET: 'hush',
      BACKUP_TO: 's3://acme-backups/sightline?keep=3,2,0',
      RETENTION_DAYS: 'answers=400, audit_trail=90',
    } as const
    expect(readSettings(given)).toEqual({
      ...given,
      TRUST_PROXY: [],
      PORT: 0,
      TRACKER_PORT: 65535,
      TRACKER_PROCESSES: 64,
      METRICS_PORT: { host: '0.0.0.0', port: 4002 },
      PERSISTED_DOCUMENTS: { file: 'documents.json', isOnly: true },
      BACKUP_TO: {
        place: 's3://acme-backups/sightline',
        keep: { days: 3, weeks: 2, months: 0 },
      },
      RETENTION_DAYS: { answers: 400, auditTrail: 90 },
      ALLOW_PRIVATE_HOSTS: [
        { name: 'shop.test', port: 80, target: { address: '127.0.0.1', port: 8700 } },
        { name: 'intranet.example.com', port: null, target: null },
        { name: 'x.test', port: null, target: { address: '::1', port: 81 } },
      ],
      CORS_ORIGINS: ['https://app.example.com', 'http://localhost:5173'],
      WAREHOUSE_MEMORY_MB: 4000,
    })
  })

  test('that are wrong are told all at once, one line each', () => {
    const wrong = {
      PORT: '65536',
      TRACKER_PORT: 'http',
      TRACKER_PROCESSES: '65',
      DATABASE_URL: 'mysql://db',
      CLICKHOUSE_URL: 'warehouse:8123',
      REDIS_URL: 'not a url',
      SIGHTLINE_DEMO: 'yes',
      PUBLIC_URL: 'ftp://example.com',
      CRAWLERS_SOURCE: 'file:///etc/bots.json',
      ALLOW_PRIVATE_HOSTS: 'shop.test:http',
      LOG_LEVEL: 'loud',
      WAREHOUSE_MEMORY_MB: '499',
    }
    const faults = faultsOf(wrong)
    expect(faults.map((fault) => fault.split('`')[1])).toEqual(Object.keys(wrong))
    expect(faults[3]).toBe(
      '`DATABASE_URL` must be a URL that starts with postgres:// or postgresql://.',
    )
  })

  test('of documents, backups and storage say more than a place', () => {
    const { PERSISTED_DOCUMENTS, BACKUP_TO } = readSettings({
      PERSISTED_DOCUMENTS: 'documents.json',
      BACKUP_TO: '/backups',
    })
    expect(PERSISTED_DOCUMENTS).toEqual({ file: 'documents.json', isOnly: false })
    expect(BACKUP_TO).toEqual({ place: '/backups', keep: { days: 7, weeks: 4, months: 12 } })
    expect(
      faultsOf({
        PERSISTED_DOCUMENTS: 'only:',
        S3_ENDPOINT: 'https://storage.example.com?region=a/b',
        BACKUP_TO: '/backups?keep=0,4,12',
      }),
    ).toEqual([
      '`PERSISTED_DOCUMENTS` must be a file, such as `only:documents.json`.',
      '`S3_ENDPOINT` must have a `region` of letters, digits and `-`.',
      '`BACKUP_TO` must have as `keep` numbers of daily, weekly and monthly backups, at least one daily, such as `?keep=7,4,12`; got `/backups?keep=0,4,12`.',
    ])
  })

  test.each([
    ['https://s3.eu-west-1.amazonaws.com', 'eu-west-1'],
    ['https://s3.us-west-004.backblazeb2.com', 'us-west-004'],
    ['https://minio.example.com:9000/?region=home', 'home'],
    ['https://storage.googleapis.com', 'us-east-1'],
  ])('of the storage %s have the region %s', (endpoint, region) => {
    expect(regionOf(endpoint)).toBe(region)
  })

  test('whose fault stands in the message, so that the command line can print it as it is', () => {
    expect(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(
      /^The settings are not valid:\n {2}`PORT` must be .+; got `x`\.\n {2}`LOG_LEVEL` must be .+; got `y`\.$/,
    )
  })

  test.each(['-1', '65536', '4000.5', '4e3', '0x10', ' ', '4000 ', '٤٠٠٠'])(
    'a port is digits up to 65535: %j is refused',
    (PORT) => {
      expect(faultsOf({ PORT })).toEqual([
        `\`PORT\` must be a whole number from 0 to 65535; got \`${PORT}\`.`,
      ])
    },
  )

  test.each(['/etc/bots.json', 'own/bots.json', '../bots.json', 'bots', 'HTTP://example.com/bots'])(
    'the source of crawlers may be %s',
    (CRAWLERS_SOURCE) => {
      expect(readSettings({ CRAWLERS_SOURCE })).toMatchObject({ CRAWLERS_SOURCE })
    },
  )

  test.each(['ftp://example.com/bots', 'http://', 'https://me:secret@example.com/bots'])(
    'the source of crawlers cannot be %s, and a password in it is not repeated',
    (CRAWLERS_SOURCE) => {
      expect(faultsOf({ CRAWLERS_SOURCE })).toEqual([
        '`CRAWLERS_SOURCE` must be a file, or a URL that starts with http:// or https:// and has no password.',
      ])
    },
  )

  test.each([
    'a b',
    'a.test:0',
    'a.test:65536',
    'a.test=127.0.0.1',
    'a.test=b:80',
    'a.test,',
    '=x:1',
  ])('a private host is a name, a port and an address: %j is refused', (ALLOW_PRIVATE_HOSTS) => {
    expect(faultsOf({ ALLOW_PRIVATE_HOSTS })).toEqual([
      '`ALLOW_PRIVATE_HOSTS` must be `name[:port][=ip:port]`, separated by commas, such as `shop.test:80`.',
    ])
  })

  test('ask for a key where the judge is a model of OpenAI, and for none on a server of your own', () => {
    expect(faultsOf({ JUDGE_MODEL: 'gpt-5-mini' })).toEqual([
      '`JUDGE_API_KEY` must be a key of OpenAI when `JUDGE_MODEL` is set without `JUDGE_URL`.',
    ])
    expect(faultsOf({ JUDGE_MODEL: 'llama', JUDGE_URL: 'http://127.0.0.1:8080/v1' })).toEqual([])
    expect(faultsOf({ JUDGE_API_KEY: 'sk-without-a-model' })).toEqual([])
  })

  test('ask for the client of a provider of sign-ins', () => {
    expect(faultsOf({ OIDC_ISSUER: 'https://login.example.com' })).toEqual([
      '`OIDC_CLIENT_ID` must be the client that the provider of `OIDC_ISSUER` knows.',
    ])
    expect(faultsOf({ OIDC_CLIENT_SECRET: 'two words' })).toEqual([
      '`OIDC_CLIENT_SECRET` must be of visible ASCII characters, without spaces.',
    ])
  })

  test('never show a key that is wrong', () => {
    expect(faultsOf({ JUDGE_API_KEY: 'sk-very secret' })).toEqual([
      '`JUDGE_API_KEY` must be of visible ASCII characters, without spaces.',
    ])
  })
})

test('the tracker is at its own address, or at the host of the API', () => {
  const at = (env: Record<string, string>) => trackerUrlOf(readSettings(env))
  expect(at({})).toBe('http://127.0.0.1:4001')
  expect(at({ HOST: '::1', TRACKER_PORT: '4100' })).toBe('http://[::1]:4100')
  expect(at({ PUBLIC_URL: 'https://s.example/base/' })).toBe('https://s.example:4001')
  expect(at({ TRACKER_URL: 'https://t.example/' })).toBe('https://t.example')
})
