import { expect, inject, onTestFinished, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { isInstalled, startRedis } from '../kit/machines/servers.ts'
import { until } from '../kit/service.ts'
import { type Machine, startMachine } from './machines.ts'

const api = useApi()

test.skipIf(!isInstalled('redis-server'))(
  'of 700 calls at once over two API processes on one Redis, exactly 600 pass',
  async () => {
    const redis = await startRedis()
    onTestFinished(redis.kill)
    const workspace = await api.workspace()
    const path = `/api/mcp/projects/${await workspace.project()}`
    const { key } = await workspace.key()
    const { databaseUrl } = api
    const stores = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: inject('clickhouseUrl') }
    const env = { ...stores, REDIS_URL: redis.url }
    const apis = await Promise.all([startMachine('api', env), startMachine('api', env)])
    const ask = (api: Machine, key: string) =>
      fetch(api.url + path, { headers: { authorization: `Bearer ${key}` } })
    const other = (await workspace.key()).key
    for (const each of apis)
      await until(async () => (await ask(each, other)).headers.has('ratelimit'))

    const calls = Array.from({ length: 350 }, () => apis.map((each) => ask(each, key)))
    const answers = await Promise.all(calls.flat())
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(600)
    expect(statuses.filter((status) => status === 429)).toHaveLength(100)
  },
)
