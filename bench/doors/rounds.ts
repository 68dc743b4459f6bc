import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { processMs } from '../processes.ts'
import { median } from '../service.ts'
import type { Task } from './load.ts'

/** What each request of a task took. */
export interface Figures {
  /** Requests a second. */
  readonly rate: number
  /** Microseconds of processor time of this process, which has both kinds of servers. */
  readonly us: number
  /** Microseconds of processor time of the warehouse. */
  readonly storeUs: number
  /** Milliseconds that the engine itself took, by its own clock. */
  readonly engineMs: number
  readonly statements: number
}

/** Counts the statements of this process and the time that the engine took for them. */
export interface EngineClock {
  read(): { readonly statements: number; readonly ms: number }
}

export function startClient() {
  const client: ChildProcess = fork(new URL('load.ts', import.meta.url))
  return {
    async measure(task: Task, warehousePid: number, clock?: EngineClock): Promise<Figures> {
      const [before, store, engine] = [process.cpuUsage(), processMs(warehousePid), clock?.read()]
      client.send(task)
      const [message] = (await once(client, 'message')) as [{ rate: number; error?: string }]
      if (message.error !== undefined) throw new Error(message.error)
      const { user, system } = process.cpuUsage(before)
      const asked = (message.rate * task.ms) / 1000
      const after = clock?.read()
      return {
        rate: message.rate,
        us: (user + system) / asked,
        storeUs: ((processMs(warehousePid) - store) * 1000) / asked,
        engineMs: ((after?.ms ?? 0) - (engine?.ms ?? 0)) / asked,
        statements: ((after?.statements ?? 0) - (engine?.statements ?? 0)) / asked,
      }
    },
    end: () => client.disconnect(),
  }
}

export type Client = ReturnType<typeof startClient>

export interface Door {
  readonly name: string
  readonly task: Pick<Task, 'port' | 'heads' | 'keys' | 'status'> & { readonly body?: string }
}

export interface RoundsOptions {
  readonly rounds: number
  readonly ms: number
  readonly connections: number
  readonly perKey: number
  readonly warehousePid: number
  readonly clock?: EngineClock
}

/** The medians of each door over rounds in turn. The first round warms up. */
export async function rounds(
  client: Client,
  doors: readonly Door[],
  { rounds: count, warehousePid, clock, ...load }: RoundsOptions,
): Promise<ReadonlyMap<string, Figures>> {
  const found = new Map<string, Figures[]>(doors.map(({ name }) => [name, []]))
  for (let round = -1; round < count; round++) {
    for (const { name, task } of doors) {
      const figures = await client.measure({ ...load, ...task }, warehousePid, clock)
      if (round >= 0) found.get(name)?.push(figures)
    }
  }
  return new Map([...found].map(([name, each]) => [name, medians(each)]))
}

function medians(each: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(each.map((figures) => figures[name]))
  return {
    rate: of('rate'),
    us: of('us'),
    storeUs: of('storeUs'),
    engineMs: of('engineMs'),
    statements: of('statements'),
  }
}
