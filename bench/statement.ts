import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestWarehouse } from '../test/kit/warehouse.ts'
// It sets the number of threads before the first one starts.
import '../warehouse/chdb/threads.ts'
import { openSession } from '../warehouse/chdb/session.ts'
import { command, insert, run } from '../warehouse/run.ts'
import { processMs } from './processes.ts'
import { median, quantile, say } from './service.ts'

/**
 * node bench/statement.ts
 *
 * Measures what a statement costs over the engine's own time: HTTP, parameters, rows, in both processes.
 * The same statement runs in chDB in this process, in rounds between. Compare the ratios, because they
 * depend least on the machine. `cpu` is the processor time of all processes that take part.
 */
const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
const sessions = Array.from({ length: 16 }, () => openSession(folder))
const [session] = sessions
const store = await startTestWarehouse()
const { warehouse } = store

interface Cost {
  readonly p50: number
  readonly p95: number
  readonly cpuMs: number
  readonly perSecond: number
}

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + processMs(store.pid)
}

/** Runs a statement `times` times, `side` at once. `n` numbers the runs, and `lane` those side by side. */
async function measure(
  times: number,
  side: number,
  call: (n: number, lane: number) => Promise<unknown>,
): Promise<Cost> {
  let left = times
  const all: number[] = []
  const lane = async (_: unknown, index: number) => {
    while (left > 0) {
      left -= 1
      const began = performance.now()
      await call(left, index)
      all.push(performance.now() - began)
    }
  }
  const began = performance.now()
  const cpuBefore = cpu()
  await Promise.all(Array.from({ length: side }, lane))
  const seconds = (performance.now() - began) / 1000
  all.sort((a, b) => a - b)
  return {
    p50: quantile(all, 0.5),
    p95: quantile(all, 0.95),
    cpuMs: (cpu() - cpuBefore) / times,
    perSecond: times / seconds,
  }
}

const ms = (value: number) => `${value.toFixed(2)} ms`.padStart(9)

function line(name: string, { p50, p95, cpuMs, perSecond }: Cost): string {
  return `${name.padEnd(28)} p50 ${ms(p50)}  p95 ${ms(p95)}  cpu ${ms(cpuMs)}  ${perSecond.toFixed(0).padStart(5)}/s`
}

/** Rounds alternate, so that both sides meet the same load of the machine. */
async function compare(
  name: string,
  times: number,
  engine: (n: number, lane: number) => Promise<unknown>,
  service: (n: number, lane: number) => Promise<unknown>,
): Promise<void> {
  for (const side of [1, 16]) {
    const costs: [Cost, Cost][] = []
    for (let round = 0; round <= 5; round++) {
      const shift = (round * 2 + (side === 1 ? 0 : 1)) * times
      const both: [Cost, Cost] = [
        await measure(times, side, (n, lane) => engine(shift + n, lane)),
        await measure(times, side, (n, lane) => service(shift + n, lane)),
      ]
      // The first round compiles, and opens sockets.
      if (round > 0) costs.push(both)
    }
    const middle = (at: 0 | 1, of: keyof Cost) => median(costs.map((both) => both[at][of]))
    const cost = (at: 0 | 1): Cost => ({
      p50: middle(at, 'p50'),
      p95: middle(at, 'p95'),
      cpuMs: middle(at, 'cpuMs'),
      perSecond: middle(at, 'perSecond'),
    })
    const [own, whole] = [cost(0), cost(1)]
    say(line(`${name}, engine ×${side}`, own))
    say(line(`${name}, service ×${side}`, whole))
    say(
      `${''.padEnd(28)} p50 × ${(whole.p50 / own.p50).toFixed(2)}  cpu × ${(whole.cpuMs / own.cpuMs).toFixed(2)}  rate × ${(whole.perSecond / own.perSecond).toFixed(2)}`,
    )
  }
}

const ask = (sql: string) => (_: number, lane: number) =>
  (sessions[lane] ?? session)?.queryAsync(sql, { format: 'JSONEachRow' }) ?? Promise.reject()

await compare('SELECT 1', 300, ask('SELECT 1 AS one'), () =>
  run(warehouse, { id: 'bench.select', sql: 'SELECT 1 AS one' }),
)

const days = 31
await compare(
  'four parameters',
  300,
  ask(
    `SELECT _CAST('61f0c404-5cb3-11e7-907b-a6006ad3dba0', 'UUID') AS project, _CAST('2025-05-01', 'Date') AS first,
       _CAST('31', 'UInt16') AS days, ['chatgpt', 'gemini'] AS platforms`,
  ),
  () =>
    run(warehouse, {
      id: 'bench.parameters',
      sql: `SELECT {project:UUID} AS project, {first:Date} AS first, {days:UInt16} AS days,
              {platforms:Array(String)} AS platforms`,
      params: {
        project: '61f0c404-5cb3-11e7-907b-a6006ad3dba0',
        first: '2025-05-01',
        days,
        platforms: ['chatgpt', 'gemini'],
      },
    }),
)

const table = `CREATE TABLE bench (id UInt32, name String) ENGINE = MergeTree ORDER BY id
  SETTINGS non_replicated_deduplication_window = 100`
await session?.queryAsync(table)
await command(warehouse, { id: 'bench.table', sql: table })
const rows = Array.from({ length: 10 }, (_, id) => ({ id, name: `name ${id}` }))
const text = Buffer.from(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
await compare(
  'insert of 10 rows',
  50,
  (n, lane) =>
    (sessions[lane] ?? session)?.insert({
      table: 'bench',
      values: text,
      format: 'JSONEachRow',
      settings: { insert_deduplication_token: String(n) },
    }) ?? Promise.reject(),
  (n) => insert(warehouse, { table: 'bench', rows, token: String(n) }),
)

for (const open of sessions) open.close()
await store.stop()
rmSync(folder, { recursive: true, force: true })
