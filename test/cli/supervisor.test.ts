import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../cli/package.ts'
import { copyDemo } from '../kit/data-folders.ts'
import { type Subscribed, subscribe } from '../kit/graphql/live.ts'
import {
  isAlive,
  makeDataFolder,
  runCli,
  spawnCli,
  startService,
  type TestService,
  until,
} from '../kit/service.ts'
import { isSoak } from '../kit/soak.ts'
import { startCollector } from './collector.ts'
import { ask, lastMonthReport, processesOf, startDemo } from './demo-service.ts'
import { expectMetrics, expectQuietLog, expectTrace } from './observed.ts'

describe('a service that runs', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let service: TestService
  let report: string
  let numbers: unknown

  beforeAll(async () => {
    collector = await startCollector()
    service = await startDemo({
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      LOG_LEVEL: 'debug',
    })
    report = await lastMonthReport(service)
    numbers = await (await service.get(report)).json()
  })
  afterAll(async () => {
    await service.stop()
    await collector.close()
  })

  test('the demo key reads the demo project, which has answers', () => {
    const { summary } = numbers as { summary: { totalResponses: number } }
    expect(summary.totalResponses).toBeGreaterThan(1000)
  })

  test('the first start audits the site of the demo, and finds its faults', async () => {
    const path = `/api/mcp/projects/${service.demoProjectId}/issues?severity=critical`
    const { summary } = await (await service.get(path)).json()
    expect(summary.byType).toEqual({ 'cited-page-blocked': 1, 'content-needs-javascript': 1 })
  })

  test('the public port streams live events of the demo project', async () => {
    const field = `projectUpdated(projectId: "${service.demoProjectId}") { __typename ... on ProjectEdited { actions } }`
    const stream = await subscribe(service, service.demoKey, field)
    const seen = editOf(stream)
    const path = `/api/mcp/projects/${service.demoProjectId}/prompts`
    const added = await fetch(service.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.demoKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ prompts: [{ text: 'Which headphones last ten years?' }] }),
    })
    expect(added.status).toBeLessThan(300)
    expect(await seen).toEqual({
      __typename: 'ProjectEdited',
      actions: [expect.stringMatching(/^prompt/)],
    })
    await stream.end()
  })

  test('a second start on the folder says who holds it, and leaves the first alone', async () => {
    const second = await runCli(['serve'], { env: service.env })
    expect(second.code).toBe(1)
    expect(second.stdout).toBe('')
    const holder = `\`sightline serve\` (process ${service.pid}, since `
    expect(second.stderr).toContain(`${service.dataDir} is in use by ${holder}`)
    expect(second.stderr).toContain(`at ${service.url})`)
    expect((await service.get(report)).status).toBe(200)
  })

  test('a taken port is named, with the way to choose another', async () => {
    const folder = await makeDataFolder()
    const { port } = new URL(service.url)
    const other = await runCli(['serve'], { env: { DATA_DIR: folder.path, PORT: port } })
    expect(other.code).toBe(1)
    expect(other.stderr).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Choose another: PORT=${Number(port) + 10} npm start\n`,
    )
    await folder.remove()
  })

  test('while the API is down every request gets the 502 problem', async () => {
    process.kill(await service.pidOf('api'), 'SIGKILL')
    await until(async () => (await service.parts()).api === undefined)
    const response = await fetch(`${service.url}/graphql`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(502)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('retry-after')).toBe('1')
    expect(response.headers.get('connection')).toBe('close')
    const requestId = response.headers.get('x-request-id')
    const message = 'The API is starting again. Try again in a second.'
    expect(await response.json()).toEqual({
      type: `${service.url}/docs/errors#internal_error`,
      title: 'Unexpected failure',
      status: 502,
      code: 'internal_error',
      error: message,
      message,
      requestId,
      retryable: true,
    })
    await until(async () => (await ask(service, report, numbers)) === 'same')
  })

  test('METRICS_PORT shows every part at one address, and all that the dashboard names', () =>
    expectMetrics(service))

  test('the spans of a request are one trace, from the door to each statement', () =>
    expectTrace(service, collector.spans, report))

  test('the log names requests and statements, and no key, no body and no address', () =>
    expectQuietLog(service, report))

  test('SIGTERM finishes what was asked, ends with exit code 0, and leaves no process', async () => {
    const processes = await processesOf(service)
    const asked = Array.from({ length: 10 }, () => askInTwoParts(service))
    await Promise.all(asked.map(({ received }) => received))
    service.signal('SIGTERM')
    expect(await Promise.all(asked.map(({ finish }) => finish()))).toEqual(Array(10).fill(200))
    expect((await service.ended).code).toBe(0)
    expect(processes.filter(isAlive)).toEqual([])
  })
})

// Without root, all tests show that a user without rights runs a service.
const nobody = process.getuid?.() === 0 && isOpenToOthers(packageRoot) ? 65534 : undefined

if (isSoak) {
  describe('a service without the demo', () => {
    let service: TestService

    beforeAll(async () => {
      const user = nobody === undefined ? {} : { uid: nobody }
      service = await startService({ ...user, env: { SIGHTLINE_DEMO: '0' } })
    })
    afterAll(() => service.stop())

    const sent = (path: string, body: object, cookie = '') =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: service.url, cookie },
        body: JSON.stringify(body),
      })

    if (nobody !== undefined) {
      test('runs for a user without rights', async () => {
        // On a busy machine a store may take longer to answer than readiness waits.
        await until(async () => (await service.get('/readyz', null)).status === 200)
        expect(processesBy(await processesOf(service))).toEqual(Array(7).fill(nobody))
        const args = ['workspace', 'create', '--name', 'Acme', '--json']
        const made = await runCli(args, { env: service.env, uid: nobody })
        expect(JSON.parse(made.stdout)).toEqual({ id: expect.any(String) })
      })
    }

    test('makes one workspace, whose owner signs in by the codes of the start', async () => {
      expect(service.demoKey).toBe('')
      const redeemed = await sent('/page-key', { code: service.codes.dashboard })
      const [cookie] = redeemed.headers.get('set-cookie')?.split(';') ?? []
      const query = '{ currentKey { workspace { name } } projects { totalCount } }'
      const answer = await sent('/graphql', { query }, cookie)
      const currentKey = { workspace: { name: 'My workspace' } }
      expect((await answer.json()).data).toEqual({ currentKey, projects: { totalCount: 0 } })
    })

    if (spawnSync('unshare', ['--net', 'true']).status === 0) {
      test('holds its folder against another container', async () => {
        const env = { ...process.env, ...service.env, PORT: '0', TRACKER_PORT: '0' }
        const command = [process.execPath, join(packageRoot, 'cli/sightline.js'), 'serve']
        const other = spawnSync('unshare', ['--net', ...command], { env, encoding: 'utf8' })
        expect(other.status).toBe(1)
        expect(other.stderr).toContain('in use by `sightline serve` in another container')
      })
    }

    test('ends in order at Ctrl-C, which npm sends on a second time', async () => {
      const processes = await processesOf(service)
      // A terminal signals the whole group.
      process.kill(-service.pid, 'SIGINT')
      process.kill(service.pid, 'SIGINT')
      expect((await service.ended).code).toBe(0)
      expect(processes.filter(isAlive)).toEqual([])
    })
  })
}

describe('the start of a service', () => {
  test('all faults of the settings are told at once', async () => {
    const env = { PORT: '99999', DATABASE_URL: 'mysql://x', SIGHTLINE_DEMO: 'maybe' }
    const { code, stdout, stderr } = await runCli(['serve'], { env })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    const lines = stderr.trim().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines.slice(1).map((line) => /`(\w+)`/.exec(line)?.[1])).toEqual([
      'PORT',
      'DATABASE_URL',
      'SIGHTLINE_DEMO',
    ])
  })

  if (isSoak) {
    test('a listed document that cannot run is a fault of the settings', async () => {
      const env = { PERSISTED_DOCUMENTS: 'only:no/such.json' }
      const { code, stdout, stderr } = await runCli(['serve'], { env })
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^The settings are not valid:\n {2}`PERSISTED_DOCUMENTS` must be a JSON file .+; no\/such\.json: ENOENT/,
      )
    })
  }

  if (isSoak) {
    test('what people see holds the URLs, the key and one line that answers', async () => {
      const folder = await makeDataFolder()
      await copyDemo(folder.path)
      const child = spawnCli(['serve'], { env: { DATA_DIR: folder.path } })
      let shown = ''
      child.stdout?.on('data', (chunk) => {
        shown += chunk
      })
      await until(() => shown.includes('Ctrl-C stops it'))
      const [, key = ''] = /^ {2}KEY=(sgl_\w{38})$/m.exec(shown) ?? []
      const [, address = ''] = /curl -H "Authorization: Bearer \$KEY" "([^"]+)"/.exec(shown) ?? []
      expect(shown.split('\n').filter((line) => line !== '')).toHaveLength(11)
      expect(shown.split(key)).toHaveLength(2)
      const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
      expect(response.status).toBe(200)
      expect(shown).toContain(folder.path)
      const { promise: gone, resolve } = Promise.withResolvers<number | null>()
      child.once('exit', resolve).kill('SIGINT')
      expect(await gone).toBe(0)
      await folder.remove()
    })
  }
})

/** The next edit of the project. The service's own jobs report on the same stream. */
async function editOf(stream: Subscribed) {
  for (;;) {
    const event = (await stream.next())?.data?.projectUpdated
    if (event === undefined || event.__typename === 'ProjectEdited') return event
  }
}

/**
 * A request whose body is sent at `finish`, which resolves to the status of the answer.
 * `received` resolves when the service says that it has the head.
 */
function askInTwoParts(service: TestService) {
  const body = JSON.stringify({ query: '{ projects { nodes { id } } }' })
  const asked = request(`${service.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.demoKey}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  asked.flushHeaders()
  const received = once(asked, 'continue')
  const answer = once(asked, 'response')
  const finish = async (): Promise<number> => {
    asked.end(body)
    const [response] = await answer
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  return { received, finish }
}

/** Can a user without rights reach the folder? A home of root's, for one, is closed. */
function isOpenToOthers(folder: string): boolean {
  if ((statSync(folder).mode & 0o5) !== 0o5) return false
  return dirname(folder) === folder || isOpenToOthers(dirname(folder))
}

function processesBy(pids: readonly number[]): number[] {
  return pids.map((pid) => statSync(`/proc/${pid}`).uid)
}
