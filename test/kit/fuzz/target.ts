import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { apiMemory } from '../../../cli/service/memory/heap.ts'
import { migrateWarehouse } from '../../../warehouse/migrate.ts'
import { startTestWarehouse, type TestWarehouse } from '../warehouse.ts'

/** Memory of processes in megabytes. Zero where there is no `/proc`. */
export interface Memory {
  readonly api: number
  readonly warehouse: number
}

/** An API and a warehouse in processes of their own, whose memory nobody else uses. */
export interface Target {
  readonly url: string
  readonly engine: TestWarehouse
  memory(): Memory
  /** Has the API collect garbage, which V8 else leaves until its heap is full. */
  collect(): void
  /** What the API has logged under a request id. */
  logOf(requestId: string | null): string
  stop(): Promise<void>
}

function megabytesOf(pid: number): number {
  try {
    return Math.round(
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    )
  } catch {
    return 0
  }
}

export async function startTarget(databaseUrl: string): Promise<Target> {
  const engine = await startTestWarehouse()
  await migrateWarehouse(engine.warehouse)
  const script = new URL('../../fault/api-child.ts', import.meta.url).pathname
  const child = spawn(
    process.execPath,
    [...apiMemory.execArgv, '--expose-gc', script, databaseUrl, engine.url, 'warn'],
    {
      env: { ...process.env, ...apiMemory.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const logged = new Map<string, string>()
  createInterface(child.stderr).on('line', (line) => {
    const id = /"requestId":"([^"]+)"/.exec(line)?.[1] ?? ''
    if (logged.size < 1000) logged.set(id, line.replaceAll('\\n', '\n').slice(0, 2500))
  })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url,
    engine,
    memory: () => ({ api: megabytesOf(child.pid ?? 0), warehouse: megabytesOf(engine.pid) }),
    collect: () => child.kill('SIGUSR2'),
    logOf: (requestId) => logged.get(requestId ?? '') ?? '',
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      await engine.stop()
    },
  }
}
