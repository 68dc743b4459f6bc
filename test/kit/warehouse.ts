import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWarehouse, type Warehouse } from '../../warehouse/client.ts'
import { withoutPreload } from './day.ts'

interface WarehouseProcess {
  readonly child: ChildProcess
  readonly port: number
  readonly url: string
}

/**
 * Starts the warehouse process; the error of one that does not start holds what it wrote last.
 * @param cwd a folder whose `config.xml` the engine reads
 */
export async function forkWarehouse(
  dataDir: string,
  port = 0,
  cwd?: string,
): Promise<WarehouseProcess> {
  const child = fork(new URL('../../warehouse/chdb/main.ts', import.meta.url), {
    env: {
      ...withoutPreload(),
      WAREHOUSE_DIR: dataDir,
      WAREHOUSE_PORT: String(port),
      WAREHOUSE_PASSWORD: 'test',
    },
    ...(cwd === undefined ? {} : { cwd }),
    // Vitest's own options are not for this process.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000)
  })
  const ready = once(child, 'message') as Promise<[{ type: 'ready'; port: number }]>
  const ended = once(child, 'close').then(() => {
    throw new Error(`The warehouse did not start.\n${lastWords.trim()}`)
  })
  const [message] = await Promise.race([ready, ended])
  ended.catch(() => undefined)
  return { child, port: message.port, url: `http://default:test@127.0.0.1:${message.port}` }
}

export interface TestWarehouse {
  readonly url: string
  readonly warehouse: Warehouse
  readonly pid: number
  /** SIGKILL, as the kernel sends it when memory runs out. */
  kill(): Promise<void>
  /** Starts it again on the same folder and port. */
  restart(): Promise<void>
  /** Ends the process and removes its folder. */
  stop(): Promise<void>
}

/** A warehouse process of its own on an empty folder. Its tables come from `migrateWarehouse`. */
export async function startTestWarehouse(): Promise<TestWarehouse> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sightline-warehouse-'))
  let running = await forkWarehouse(dataDir)
  const { url, port } = running
  const warehouse = createWarehouse({ url })

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    url,
    warehouse,
    get pid() {
      return running.child.pid ?? 0
    },
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGTERM')
      running = await forkWarehouse(dataDir, port)
    },
    async stop() {
      await warehouse.close()
      await end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
