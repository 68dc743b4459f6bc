import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { locateDataDir, makeDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { openTrackerFront, startTracking } from '../../cli/service/tracking.ts'
import { readSettings } from '../../core/settings.ts'
import { removeProject } from '../../imports/loads/removal.ts'
import { createSiteToken } from '../../resolvers/connections/site-tokens.ts'
import { createIngestKey, revokeIngestKey } from '../../resolvers/keys/ingest-keys.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { useApi } from '../kit/api.ts'
import { startEmptyService } from '../kit/data-folders.ts'
import {
  makeDataFolder,
  runCli,
  runJson,
  startService,
  type TestService,
  until,
} from '../kit/service.ts'
import { type Sender, sendHits } from '../kit/tracker/service.ts'

interface Overview {
  crawlers: { total: number; byPlatform: object[] }
  topPages: { path: string; crawls: number }[]
}

describe('a service', () => {
  let first: TestService
  let service: TestService
  let workspace = ''
  let project = ''
  let readKey = ''
  let ingestKey = { id: '', key: '' }
  let sender: Sender

  const run = <T = { id: string; key: string }>(...args: string[]) =>
    runJson<T>(args, { env: service.env })

  async function overview(): Promise<Overview> {
    const response = await service.get(`/api/mcp/projects/${project}/traffic/overview`, readKey)
    return (await response.json()) as Overview
  }
  /** Hits that are there, by path, once there are so many. */
  async function hits(total: number): Promise<Overview> {
    await until(async () => ((await overview()).crawlers?.total ?? 0) >= total)
    return overview()
  }

  /** How often crawlers read a path. A path of its own keeps late events of an earlier test out of the count. */
  const crawlsOf = (path: string, { topPages }: Overview): number =>
    topPages.find((page) => page.path === path)?.crawls ?? 0

  beforeAll(async () => {
    first = await startEmptyService()
    service = first
    workspace = (await run('workspace', 'create', '--name', 'Acme')).id
    const of = ['--workspace', workspace]
    project = (await run('project', 'create', ...of, '--name', 'Acme', '--domain', 'acme.com')).id
    readKey = (await run('key', 'create', ...of, '--scope', 'read')).key
    ingestKey = await run('ingest-key', 'create', ...of)
    const { siteToken } = await run<{ siteToken: string }>('site-token', '--project', project)
    sender = { key: ingestKey.key, siteToken }
  })
  afterAll(async () => {
    await service.stop()
    // Its folder goes with it.
    await first.stop()
  })

  test('takes an event of a crawler, and REST counts it', async () => {
    expect(await sendHits(service.trackerUrl, sender, ['/first'])).toBe(202)
    expect(await hits(1)).toMatchObject({
      crawlers: { total: 1 },
      topPages: [{ path: '/first', crawls: 1 }],
    })
  })

  test.each(['tracker', 'trackerWriter', 'warehouse', 'catalog'] as const)(
    'comes back after SIGKILL of the %s, and every acknowledged event is there once',
    async (part) => {
      const path = `/${part}`
      const before = await service.pidOf(part)
      let acknowledged = 0
      let isOver = false
      const senders = Array.from({ length: 3 }, async () => {
        while (!isOver) {
          const status = await sendHits(service.trackerUrl, sender, [path]).catch(() => 0)
          if (status === 202) acknowledged++
          await sleep(10)
        }
      })
      await sleep(300)
      process.kill(before, 'SIGKILL')
      await until(async () => ![before, undefined].includes((await service.parts())[part]))
      await sleep(300)
      isOver = true
      await Promise.all(senders)
      expect(acknowledged).toBeGreaterThan(10)
      await until(async () => crawlsOf(path, await overview()) >= acknowledged)
      // What was on disk when the tracker died before it could say so counts too: one of each sender.
      const more = crawlsOf(path, await overview()) - acknowledged
      expect(more).toBeLessThanOrEqual(part === 'tracker' ? 3 : 0)
    },
  )

  test('while there is no tracker, whoever connects waits for it', async () => {
    const { total } = (await overview()).crawlers
    const before = await service.pidOf('tracker')
    process.kill(before, 'SIGKILL')
    await until(async () => (await service.parts()).tracker !== before)
    const again = Array.from({ length: 5 }, () => sendHits(service.trackerUrl, sender, ['/wait']))
    expect(await Promise.all(again)).toEqual(Array(5).fill(202))
    expect((await hits(total + 5)).crawlers.total).toBe(total + 5)
  })

  test('doctor tells where the tracker is, and that nothing waits', async () => {
    await until(async () => {
      const found = await run<{ tracker: { backlog: { bytes: number } } }>('doctor')
      return found.tracker.backlog.bytes === 0
    })
    const { stdout } = await runCli(['doctor'], { env: service.env })
    expect(stdout).toContain(`Tracker     takes events at ${service.trackerUrl}, nothing waits`)
    expect(stdout).toContain('✓ Nothing is wrong.')
  })

  test('keeps what it has acknowledged when it stops, and goes on with it', async () => {
    const { total } = (await overview()).crawlers
    process.kill(await service.pidOf('warehouse'), 'SIGKILL')
    expect(await sendHits(service.trackerUrl, sender, ['/last', '/last'])).toBe(202)
    service.signal('SIGTERM')
    expect((await service.ended).code).toBe(0)
    const { dataDir, env } = service
    service = await startService({ dataDir, env })
    expect((await hits(total + 2)).crawlers.total).toBe(total + 2)
    await run('ingest-key', 'revoke', ingestKey.id)
    // It reads at its start what is revoked: this spares us the minute.
    process.kill(await service.pidOf('tracker'), 'SIGKILL')
    await until(async () => (await sendHits(service.trackerUrl, sender, ['/'])) === 403)
  })
})

describe('what is revoked', () => {
  const api = useApi()

  test('is refused soon after, and also by a tracker that starts while PostgreSQL is away', async () => {
    const folder = await makeDataFolder()
    const dataDir = locateDataDir({ DATA_DIR: folder.path })
    await makeDataDir(dataDir)
    const secrets = await readSecrets(dataDir)
    const [secret] = secrets.signingSecrets
    const workspace = await api.workspace()
    const make = async (): Promise<Sender & { id: string; projectId: string }> => {
      const projectId = await workspace.project()
      const key = await createIngestKey(api.db, commandLine, workspace.id, {}, secret)
      const site = await createSiteToken(api.db, commandLine, projectId, {}, secret)
      return { id: key.subjectId, key: key.key, siteToken: site.siteToken, projectId }
    }
    const [kept, revoked, deleted] = [await make(), await make(), await make()]
    const open = async (databaseUrl: string) => {
      const front = await openTrackerFront(readSettings({ TRACKER_PORT: '0' }))
      const tracking = startTracking({
        settings: readSettings({ LOG_LEVEL: 'error' }),
        dataDir,
        secrets,
        front,
        databaseUrl: Promise.resolve(databaseUrl),
        clickhouseUrl: Promise.resolve(inject('clickhouseUrl')),
        log: pino({ level: 'silent' }),
        stdout: 2,
        warn: () => undefined,
        publish: () => undefined,
        revokedEveryMs: 100,
      })
      const parts = await Promise.all([...tracking.trackers, tracking.writer])
      const answers = () =>
        Promise.all([kept, revoked, deleted].map((each) => sendHits(front.url, each, ['/'])))
      const stop = async () => {
        await front.close()
        for (const part of parts) await part?.stop()
      }
      return { answers, stop }
    }
    const first = await open(api.databaseUrl)
    expect(await first.answers()).toEqual([202, 202, 202])
    await revokeIngestKey(api.db, commandLine, workspace.id, revoked.id)
    await removeProject(api, commandLine, deleted.projectId)
    await until(async () => `${await first.answers()}` === '202,403,403')
    await first.stop()
    const list = JSON.parse(await readFile(join(dataDir.tracker, 'revoked.json'), 'utf8'))
    expect(list.keys).toContain(revoked.id)
    expect(list.projects).toContain(deleted.projectId)
    const second = await open('postgresql://user:hush@127.0.0.1:1/catalog')
    expect(await second.answers()).toEqual([202, 403, 403])
    await second.stop()
    await folder.remove()
  })
})
