import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openReceiver } from '../kit/channels/receiver.ts'
import { createTestDatabase, newDatabaseUrl } from '../kit/postgres.ts'
import { type CliOptions, makeDataFolder, runCli, runJson } from '../kit/service.ts'

/** Channels, deliveries and digests on the command line. */

const receiver = await openReceiver()
const databaseUrl = newDatabaseUrl(inject('databaseUrl'))
let options: CliOptions
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let database: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  folder = await makeDataFolder()
  database = await createTestDatabase(inject('databaseUrl'), databaseUrl)
  options = {
    env: {
      DATA_DIR: folder.path,
      ALLOW_PRIVATE_HOSTS: receiver.privateHost,
      DATABASE_URL: databaseUrl,
      CLICKHOUSE_URL: inject('clickhouseUrl'),
    },
  }
})
afterAll(async () => {
  await Promise.all([folder.remove(), receiver.close()])
  await database.drop()
})

const run = <T = { id: string }>(...args: string[]) => runJson<T>(args, options)

test('a webhook is added, tested, rotated and removed, and a digest is printed', async () => {
  const workspace = ['--workspace', (await run('workspace', 'create', '--name', 'Acme')).id]
  const brand = ['--name', 'Acme', '--domain', 'acme.com']
  const project = ['--project', (await run('project', 'create', ...brand, ...workspace)).id]
  const add = ['channel', 'add', 'webhook', '--name', 'Ops', '--event', 'run.failed', '--json']
  const input = `${receiver.url}/secret-path\n`
  const added = await runCli([...add, ...workspace], { ...options, input })
  const { id, secret } = JSON.parse(added.stdout) as { id: string; secret: string }
  expect(secret).toMatch(/^whsec_/)
  const listed = await runCli(['channel', 'list', ...workspace], options)
  expect(listed.stdout).toMatch(/^\S{36} {2}webhook {2}on {2}Ops {2}http:\/\/hooks\.test\/…path/)
  expect((await runCli(['channel', 'test', id, ...workspace], options)).stdout).toBe(
    'The receiver took the test.\n',
  )
  receiver.answer({ status: 404 })
  const failed = await runCli(['channel', 'test', id, ...workspace], options)
  expect([failed.code, failed.stdout]).toEqual([1, 'The receiver knows no such address (404).\n'])
  const deliveries = await run<{ deliveries: { state: string }[] }>(
    'delivery',
    'list',
    ...workspace,
  )
  expect(deliveries.deliveries.map(({ state }) => state)).toEqual(['failed', 'sent'])
  const since = ['--channel', id, '--since', '2026-01-01T00:00:00Z']
  expect(await run<object>('delivery', 'retry', ...since, ...workspace)).toEqual({ count: 1 })
  const rotated = await run<{ secret: string }>('channel', 'rotate', id, ...workspace)
  expect(rotated.secret).not.toBe(secret)
  const set = await run<{ id: string }>('digest', 'set', '--channel', id, ...project)
  const digests = await runCli(['digest', 'list', ...workspace], options)
  expect(digests.stdout).toContain(`${set.id}  Acme  Ops  next `)
  const dry = await runCli(['digest', 'send', '--dry-run', ...project], options)
  expect(dry.stdout).toMatch(/^Acme: .*: nothing changed beyond normal variation\n/)
  expect(dry.stdout).toContain('- Nothing was spent.')
  await run('digest', 'remove', set.id, ...workspace)
  const monthly = ['--channel', id, '--every', 'month', '--link-days', 'never', ...project]
  const scheduled = await run<{ id: string }>('report', 'schedule', ...monthly)
  const schedules = await runCli(['report', 'schedules', ...workspace], options)
  expect(schedules.stdout).toContain(`${scheduled.id}  Acme  Ops  each month  next `)
  await run('report', 'unschedule', scheduled.id, ...workspace)
  await run('channel', 'pause', id, ...workspace)
  await run('channel', 'enable', id, ...workspace)
  await run('channel', 'remove', id, ...workspace)
  expect((await runCli(['channel', 'list', ...workspace], options)).stdout).toBe('No channels.\n')
})
