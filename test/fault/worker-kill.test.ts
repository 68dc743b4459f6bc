import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import { createTestDatabase } from '../kit/postgres.ts'
import { until } from '../kit/service.ts'

/** Workers are killed while they do a job. */

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Catalog
const workers = new Set<ChildProcess>()
/** What all workers wrote. */
const lines: string[] = []

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  db = createCatalog(database.url)
})
afterAll(async () => {
  await Promise.all([...workers].map(kill))
  await db.$disconnect()
  await database.drop()
})

async function startChild(name: string, end: 'never' | 'at once'): Promise<ChildProcess> {
  const script = new URL('./worker-child.ts', import.meta.url).pathname
  const args = [script, database.url, inject('clickhouseUrl'), name, end]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  workers.add(child)
  if (!child.stdout) throw new Error('the child has no output')
  const output = createInterface(child.stdout)
  output.on('line', (line) => lines.push(line))
  await once(output, 'line')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  workers.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const kills = 2

test(`a job goes to another worker after SIGKILL of its worker, ${kills} times`, async () => {
  const reportId = randomUUID()
  await sendJob(db, 'report', { reportId })
  for (let i = 0; i < kills; i++) {
    const victim = await startChild(`victim-${i}`, 'never')
    await until(() => lines.includes(`victim-${i} ${reportId}`))
    await kill(victim)
  }
  await startChild('survivor', 'at once')
  await until(() => lines.includes(`survivor ${reportId}`))
  const stateOf = () => db.$queryRaw<{ state: string }[]>`
    SELECT state::text FROM pgboss.job WHERE singleton_key = ${reportId}`
  await until(async () => (await stateOf())[0]?.state === 'completed')
  expect(await stateOf()).toEqual([{ state: 'completed' }])
  expect(lines.filter((line) => line.endsWith(reportId))).toHaveLength(kills + 1)
})
