import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inspectConnections } from '../../cli/doctor/connections.ts'
import { inspectBackup } from '../../cli/doctor/keeping.ts'
import type { Check } from '../../cli/doctor/problem.ts'
import { builtinBots } from '../../core/bots/bots.ts'
import { builtinRanges } from '../../core/bots/crawler-ranges.ts'
import { untrusted } from '../kit/audit/certificate.ts'
import { withoutPreload } from '../kit/day.ts'
import { emptyFolder } from '../kit/repository.ts'
import { runCli } from '../kit/service.ts'
import { freePort } from '../kit/web/free-port.ts'

const hasRedis = spawnSync('redis-server', ['--version'], { env: withoutPreload() }).status === 0
if (!hasRedis && process.env.CI === 'true') throw new Error('redis-server is missing')

interface Found {
  readonly ok: boolean
  readonly checks: readonly Check[]
  readonly problems: readonly { readonly problem: string }[]
}

/** What doctor finds without a service and without stores. */
async function diagnose(env: Record<string, string>) {
  const dir = env.DATA_DIR ?? join(emptyFolder(), 'absent')
  const { code, stdout } = await runCli(['doctor', '--json'], { env: { ...env, DATA_DIR: dir } })
  const found: Found = JSON.parse(stdout)
  const named = (name: string) => found.checks.filter((check) => check.name === name)
  return { code, stdout, ...found, named }
}

/** The port of a server that runs for the length of the test. */
async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const nothing = 'http://127.0.0.1:1'

test('without settings asks nothing else than this machine and the lists of crawlers', async () => {
  const { code, checks, problems } = await diagnose({})
  expect(code).toBe(0)
  expect(problems).toEqual([])
  expect(checks.map(({ name, state, mend }) => [name, state, mend])).toEqual(
    ['files', 'disk', 'service', 'rules', 'crawlers', 'addresses'].map((name) => [
      name,
      'ok',
      null,
    ]),
  )
})

test.skipIf(!hasRedis)(
  'asks Redis: one that runs, one that takes no writes, and none',
  async () => {
    const start = async (...options: string[]) => {
      const port = await freePort()
      const args = ['--port', String(port), '--save', '', '--bind', '127.0.0.1', ...options]
      const redis = spawn('redis-server', args, { env: withoutPreload() })
      onTestFinished(() => {
        redis.kill('SIGKILL')
      })
      await new Promise<void>((resolve) => {
        redis.stdout.on('data', (text) => String(text).includes('Ready to accept') && resolve())
      })
      return `redis://:hush@127.0.0.1:${port}`
    }
    const asked = async (url: string) => {
      const { code, stdout, named } = await diagnose({ REDIS_URL: url })
      expect(stdout).not.toContain('hush')
      return { code, redis: named('redis') }
    }
    expect(await asked(await start('--requirepass', 'hush'))).toMatchObject({
      code: 0,
      redis: [{ state: 'ok', found: expect.stringMatching(/^Redis \d.* at 127\.0\.0\.1:\d+$/) }],
    })
    const replica = await start('--requirepass', 'hush', '--replicaof', '127.0.0.1', '1')
    expect(await asked(replica)).toMatchObject({
      code: 1,
      redis: [{ state: 'failed', found: expect.stringContaining('is a replica') }],
    })
    expect(await asked('redis://:hush@127.0.0.1:1')).toMatchObject({
      code: 1,
      redis: [{ state: 'failed', found: expect.stringContaining('ECONNREFUSED') }],
    })
  },
)

test('reads the lists of crawlers where the settings say, and names their age', async () => {
  const folder = emptyFolder()
  const save = async (name: string, list: unknown) => {
    await writeFile(join(folder, name), JSON.stringify(list))
    return join(folder, name)
  }
  const today = new Date().toISOString().slice(0, 10)
  const fresh = await diagnose({
    CRAWLERS_SOURCE: await save('bots.json', {
      ...builtinBots,
      updatedAt: today,
      ranges: [{ ...builtinRanges[0], asOf: '2020-01-01' }],
    }),
  })
  expect(fresh.code).toBe(0)
  expect(fresh.named('crawlers')).toMatchObject([
    { state: 'ok', found: expect.stringContaining(`bots.json, of ${today}`) },
  ])
  expect(fresh.named('addresses')).toMatchObject([
    { state: 'warning', found: expect.stringMatching(/of 2020-01-01: \d{4} days old$/) },
  ])
  const broken = await diagnose({
    CRAWLERS_SOURCE: await save('broken.json', { bots: [], ranges: [] }),
  })
  const away = await diagnose({ CRAWLERS_SOURCE: `${nothing}/bots.json?token=hush` })
  expect(broken.code).toBe(1)
  expect(broken.problems.map(({ problem }) => problem)).toEqual([
    expect.stringMatching(/^CRAWLERS_SOURCE cannot be read: .*broken\.json/),
    expect.stringMatching(/^CRAWLERS_SOURCE cannot be read: .*broken\.json: The ranges/),
  ])
  expect(away.stdout).not.toContain('hush')
  expect(away.problems[0]?.problem).toMatch(/^CRAWLERS_SOURCE cannot be read: .*bots\.json: /)
})

test('asks the judge: with its key, with a refused key, without its model, and none', async () => {
  const server = createServer(({ url, headers }, response) => {
    const isKnown = url === '/v1/models' && headers.authorization === 'Bearer sk-hush'
    response.writeHead(isKnown ? 200 : 401).end('{"data":[{"id":"small"}]}')
  })
  const port = await listening(server)
  const env = { JUDGE_URL: `http://127.0.0.1:${port}/v1`, JUDGE_API_KEY: 'sk-hush' }
  const asked = async (more: Record<string, string>) => {
    const { code, stdout, named } = await diagnose({ ...env, JUDGE_MODEL: 'small', ...more })
    expect(stdout).not.toMatch(/sk-hush|sk-other/)
    return { code, judge: named('judge') }
  }
  const place = `127.0.0.1:${port}`
  expect(await asked({})).toMatchObject({ code: 0, judge: [{ found: `small at ${place}` }] })
  expect(await asked({ JUDGE_API_KEY: 'sk-other' })).toMatchObject({
    code: 1,
    judge: [{ found: `The judge at ${place} refuses JUDGE_API_KEY with status 401.` }],
  })
  expect(await asked({ JUDGE_MODEL: 'large' })).toMatchObject({
    code: 1,
    judge: [
      { found: `The judge at ${place} has no model \`large\`.`, mend: 'Correct JUDGE_MODEL.' },
    ],
  })
  expect(await asked({ JUDGE_URL: `${nothing}/v1` })).toMatchObject({
    code: 1,
    judge: [{ state: 'failed', found: expect.stringContaining('does not answer') }],
  })
})

test('asks for traces and for the certificate of the public address', async () => {
  const port = await listening(createTlsServer(untrusted))
  const { code, named } = await diagnose({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${nothing}/traces`,
    PUBLIC_URL: `https://127.0.0.1:${port}`,
  })
  expect(code).toBe(1)
  expect(named('traces')).toMatchObject([{ state: 'failed' }])
  expect(named('tls')).toMatchObject([
    { state: 'failed', found: expect.stringContaining('SELF_SIGNED') },
  ])
  const hidden = await diagnose({ PUBLIC_URL: 'https://127.0.0.1:1' })
  expect([hidden.code, hidden.named('tls')]).toMatchObject([0, [{ state: 'warning' }]])
})

test('names a folder that others can read, and how to close it', async () => {
  const folder = join(emptyFolder(), 'open')
  await mkdir(folder)
  await chmod(folder, 0o755)
  const { code, named } = await diagnose({ DATA_DIR: folder })
  expect(code).toBe(1)
  expect(named('files')).toMatchObject([{ state: 'failed', mend: `chmod 700 ${folder}` }])
})

test('a backup of over seven days, or none, is a warning', () => {
  const keeping = (ageDays: number) => ({
    backup: { dir: '/backups', takenAt: '2026-11-01T00:00:00Z', ageDays },
    nightly: null,
    retentionDays: {},
  })
  expect([keeping(7), keeping(7.1), { ...keeping(0), backup: null }].map(inspectBackup)).toEqual([
    { name: 'backup', state: 'ok', found: '7 days old, in /backups', mend: null },
    expect.objectContaining({ state: 'warning', mend: expect.stringContaining('backup') }),
    expect.objectContaining({ state: 'warning', found: 'There is no backup yet.' }),
  ])
})

test('a nightly backup is old after two days', () => {
  const keeping = (ageDays: number) => ({
    backup: { dir: '/backups', takenAt: '2026-11-01T00:00:00Z', ageDays },
    nightly: { to: '/backups', problem: null },
    retentionDays: {},
  })
  const states = [keeping(2), keeping(2.1)].map((each) => inspectBackup(each).state)
  expect(states).toEqual(['ok', 'warning'])
})

test('names the projects that Google refuses', () => {
  const link = { projectId: 'p', kind: 'searchConsole', problem: null } as const
  expect(inspectConnections([])).toEqual([])
  expect(inspectConnections([link])).toMatchObject([{ state: 'ok' }])
  expect(inspectConnections([link, { ...link, problem: 'accessDenied' }])).toEqual([
    {
      name: 'google',
      state: 'failed',
      found: 'Google Search Console of project p refuses the service account.',
      mend: expect.stringContaining('pull search-console --project p'),
    },
  ])
})
