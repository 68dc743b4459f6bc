import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { makeIngestKey, makeSiteToken } from '../../core/tokens.ts'
import { useApi } from '../kit/api.ts'
import { isInstalled, startNats, startRedis } from '../kit/machines/servers.ts'
import { until } from '../kit/service.ts'
import { storedPaths } from '../kit/tracker/folder.ts'
import { startLoad } from '../kit/tracker/processes.ts'
import { type Machine, startMachine } from './machines.ts'

const api = useApi()
const signingSecret = randomUUID()
const isHere = isInstalled('nats-server') && isInstalled('redis-server')

/** The secrets that all machines of an installation share. */
async function share(dataDir: string): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 })
  const own = { cursorSecret: 'c'.repeat(32), signingSecrets: [signingSecret] }
  const passwords = { postgresPassword: randomUUID(), warehousePassword: randomUUID() }
  const file = join(dataDir, 'secrets.json')
  await writeFile(file, JSON.stringify({ ...passwords, ...own }), { mode: 0o600 })
}

test.skipIf(!isHere)(
  'two APIs, two trackers and two writers: one of each is killed under load, and nothing is lost, twice or stale',
  async () => {
    const [redis, nats] = await Promise.all([startRedis(), startNats()])
    onTestFinished(redis.kill)
    const stores = { DATABASE_URL: api.databaseUrl, CLICKHOUSE_URL: inject('clickhouseUrl') }
    const env = { ...stores, REDIS_URL: redis.url, NATS_URL: nats.url, LOG_LEVEL: 'error' }
    const start = (command: Parameters<typeof startMachine>[0]) => startMachine(command, env, share)
    const [apis, trackers, writers] = await Promise.all([
      Promise.all([start('api'), start('api')]),
      Promise.all([start('tracker'), start('tracker')]),
      Promise.all([start('tracker-writer'), start('tracker-writer')]),
    ])
    const workspace = await api.workspace()
    const projectId = await workspace.project()
    const { key } = await workspace.key({ scopes: ['read', 'admin'] })
    const of = { projectId, workspaceId: workspace.id }
    const site = {
      secret: signingSecret,
      projectId,
      siteToken: makeSiteToken(signingSecret, of),
      key: makeIngestKey(signingSecret, { id: randomUUID(), workspaceId: workspace.id }),
    }
    const shape = { connections: 4, pathsAtOnce: 5, pauseMs: 20 }
    const portOf = ({ url }: Machine) => ({ port: Number(new URL(url).port) })
    const loads = trackers.map((each, i) => startLoad(portOf(each), site, shape, `/${i}`))
    const acknowledged = () => loads.flatMap((load) => load.acknowledged)
    await until(() => loads.every((load) => load.acknowledged.length > 200))

    await trackers[0].kill()
    await writers[0].kill()
    await apis[0].kill()
    const before = loads[1]?.acknowledged.length ?? 0
    await until(() => (loads[1]?.acknowledged.length ?? 0) > before + 200)
    const [, survivor] = apis
    const path = `/api/mcp/projects/${projectId}`
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const nameOf = async () =>
      (await (await fetch(survivor.url + path, { headers })).json()).project.name
    expect(await nameOf()).toBe('Acme')
    // Another API, that of the test, acknowledges the change.
    const change = `mutation { updateProject(projectId: "${projectId}", name: "Acme Two") { changed } }`
    const changed = await (await api.graphql(change, key)).json()
    expect(changed).toMatchObject({ data: { updateProject: { changed: true } } })
    await sleep(2000)
    expect(await nameOf()).toBe('Acme Two')

    await Promise.all(loads.map((load) => load.stop()))
    const stored = () => storedPaths(api.warehouse, projectId)
    const missing = async () => {
      const there = new Set(await stored())
      return acknowledged().filter((each) => !there.has(each))
    }
    await until(async () => (await missing()).length === 0)
    const all = await stored()
    expect(new Set(all).size).toBe(all.length)
    const unanswered = loads.reduce((sum, load) => sum + load.unanswered, 0)
    expect(all.length).toBeLessThanOrEqual(acknowledged().length + unanswered)
    process.stdout.write(
      `${JSON.stringify({ acknowledged: acknowledged().length, stored: all.length, unanswered })}\n`,
    )
  },
)
