import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeDataFolder, runCli } from '../kit/service.ts'
import { sized } from '../kit/soak.ts'

const databaseUrl = inject('databaseUrl')
const clickhouseUrl = inject('clickhouseUrl')
/** A server that is no store, and answers everything. */
const web = createServer((_request, response) => response.end('<html>Hello</html>'))
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let webHost = ''
beforeAll(async () => {
  folder = await makeDataFolder()
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  webHost = `127.0.0.1:${(web.address() as AddressInfo).port}`
})
afterAll(async () => {
  web.close()
  await folder.remove()
})

function changed(url: string, part: 'password' | 'pathname', value: string): string {
  const parsed = new URL(url)
  parsed[part] = value
  return parsed.href
}

/** What is wrong, the setting that leads there, and what the text says after the address. */
const wrong: [string, () => Record<string, string>, RegExp][] = [
  [
    'a port of PostgreSQL where nobody listens',
    () => ({ DATABASE_URL: 'postgresql://u:hush@127.0.0.1:1/x' }),
    /^PostgreSQL of DATABASE_URL, at postgresql:\/\/u@127[.]0[.]0[.]1:1\/x, does not answer: .*ECONNREFUSED.*[.] Start the server, or correct DATABASE_URL[.]$/m,
  ],
  [
    'an unknown host of PostgreSQL',
    () => ({ DATABASE_URL: 'postgresql://u:hush@no.such.host.invalid/x' }),
    /^PostgreSQL of DATABASE_URL, at postgresql:\/\/u@no[.]such[.]host[.]invalid\/x, does not answer: .*(ENOTFOUND|EAI_AGAIN)/m,
  ],
  [
    'a wrong password of PostgreSQL',
    () => ({ DATABASE_URL: changed(databaseUrl, 'password', 'hush') }),
    /^PostgreSQL of DATABASE_URL, at \S+, refuses the user or the password: .+ Correct both in DATABASE_URL[.]$/m,
  ],
  [
    'a database that PostgreSQL lacks',
    () => ({ DATABASE_URL: changed(databaseUrl, 'pathname', '/absent') }),
    /^PostgreSQL of DATABASE_URL, at \S+\/absent, has no such database: .+ correct its name in DATABASE_URL[.]$/m,
  ],
  [
    'a web server in place of PostgreSQL',
    () => ({ DATABASE_URL: `postgresql://u:hush@${webHost}/x` }),
    /^PostgreSQL of DATABASE_URL, at \S+, does not answer( as PostgreSQL does)?: .+ correct DATABASE_URL[.]$/m,
  ],
  [
    'a port of ClickHouse where nobody listens',
    () => ({ CLICKHOUSE_URL: 'http://default:hush@127.0.0.1:1' }),
    /^ClickHouse of CLICKHOUSE_URL, at http:\/\/default@127[.]0[.]0[.]1:1, does not answer: .*ECONNREFUSED.*[.] Start the server, or correct CLICKHOUSE_URL[.]$/m,
  ],
  [
    'an unknown host of ClickHouse',
    () => ({ CLICKHOUSE_URL: 'http://default:hush@no.such.host.invalid:8123' }),
    /^ClickHouse of CLICKHOUSE_URL, at \S+, does not answer: .*(ENOTFOUND|EAI_AGAIN)/m,
  ],
  [
    'a wrong password of ClickHouse',
    () => ({ CLICKHOUSE_URL: changed(clickhouseUrl, 'password', 'hush') }),
    /^ClickHouse of CLICKHOUSE_URL, at \S+, refuses the user or the password: .+ Correct both in CLICKHOUSE_URL[.]$/m,
  ],
  [
    'a web server in place of ClickHouse',
    () => ({ CLICKHOUSE_URL: `http://default:hush@${webHost}` }),
    /^ClickHouse of CLICKHOUSE_URL, at \S+, does not answer as ClickHouse does: .+ correct CLICKHOUSE_URL[.]$/m,
  ],
]

function run(command: string, env: Record<string, string>) {
  const stores = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl }
  const DATA_DIR = join(folder.parent, command)
  const json = command === 'doctor' ? ['--json'] : []
  return runCli([command, ...json], { env: { ...stores, SIGHTLINE_DEMO: '0', DATA_DIR, ...env } })
}

/** The problems that doctor found, a line each. */
function problemsOf(stdout: string): string {
  const { problems } = JSON.parse(stdout) as { problems: { problem: string; mend: string }[] }
  return problems.map(({ problem, mend }) => `${problem} ${mend}`).join('\n')
}

describe.each(sized({ normal: ['migrate'], soak: ['api', 'worker', 'migrate'] }))(
  '%s ends with 1, and names the setting of',
  (command) => {
    test.each(wrong)('%s', async (_name, env, says) => {
      const { code, stdout, stderr } = await run(command, env())
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(says)
      expect(stderr).not.toContain('hush')
    })
  },
)

describe('serve ends with 1, and names the setting of', () => {
  test.each([wrong[2], wrong[5]].filter((row) => row !== undefined))(
    '%s',
    async (_name, env, says) => {
      const { code, stderr } = await run('serve', env())
      expect(code).toBe(1)
      expect(stderr).toMatch(says)
      expect(stderr).not.toContain('hush')
    },
  )

  test('two ports that are the same', async () => {
    const { code, stderr } = await run('serve', { PORT: '17999', TRACKER_PORT: '17999' })
    expect(code).toBe(1)
    expect(stderr).toContain('`TRACKER_PORT` must differ from `PORT`; both are 17999.')
  })
})

describe('doctor ends with 1, and names the setting of', () => {
  test.each(wrong)('%s', async (_name, env, says) => {
    const { code, stdout } = await run('doctor', env())
    expect(code).toBe(1)
    expect(problemsOf(stdout)).toMatch(says)
    expect(stdout).not.toContain('hush')
  })

  test.each([
    ['REDIS_URL', 'redis://:hush@127.0.0.1:1'],
    ['NATS_URL', 'nats://u:hush@127.0.0.1:1'],
    ['OIDC_ISSUER', 'http://127.0.0.1:1'],
  ])('a server of %s that is away', async (setting, url) => {
    const { code, stdout } = await run('doctor', { [setting]: url, OIDC_CLIENT_ID: 'sightline' })
    expect(code).toBe(1)
    expect(problemsOf(stdout)).toContain(setting)
    expect(stdout).not.toContain('hush')
  })
})
