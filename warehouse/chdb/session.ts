import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { Session } from 'chdb'
import { quote } from './literals.ts'

export type { Session } from 'chdb'

/** What nearly every statement of the service has. A clause of its own would cost it a tenth of its time. */
const usual: Readonly<Record<string, string>> = {
  max_execution_time: '10',
  output_format_json_quote_64bit_integers: '0',
}

/** The engine's own values of them, for a statement that says nothing. */
const engineDefaults = { max_execution_time: '0', output_format_json_quote_64bit_integers: '0' }

/** The settings of a statement that its session does not have already. */
export function beyondSession(
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries({ ...engineDefaults, ...settings }).filter(
      ([name, value]) => usual[name] !== value,
    ),
  )
}

/** The memory of all statements together, in bytes: `WAREHOUSE_MEMORY_MB`, and at most half of the machine's. */
const allStatementsBytes = Math.min(
  Number(process.env.WAREHOUSE_MEMORY_MB || 1400) * 1e6,
  Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 2,
)

const share = (part: number) => Math.floor(allStatementsBytes * part)

/** Engine options of every session: see the settings of the same names. */
function connectionArgs(): string[] {
  return [
    ...Object.entries(usual).map(([name, value]) => `--${name}=${value}`),
    '--implicit_select=0',
    // Its threads start with each statement, and cost a small answer more than they gain for a large one.
    '--output_format_parallel_formatting=0',
    // Each thread of more would look into few parts, and its start costs a short statement a tenth of its time.
    '--max_threads_for_indexes=1',
    // By default as many as cores: on two, a delete waits up to a minute behind merges, and longer the more it loses.
    '--background_pool_size=8',
    '--background_schedule_pool_size=8',
    // Looking up symbols for a trace takes up to a second, and nobody reads it.
    '--calculate_text_stack_trace=0',
    // Parameters are part of the text here, so the usual 256 kB would bound lists of ids.
    `--max_query_size=${256 * 2 ** 20}`,
    `--max_server_memory_usage=${share(1)}`,
    // No statement takes all: beside the largest, small ones still run.
    `--max_memory_usage=${share(0.6)}`,
    `--max_bytes_before_external_group_by=${share(0.2)}`,
    `--max_bytes_before_external_sort=${share(0.2)}`,
    // By default a statement runs on one core when less than 1 GiB for each of its threads is free.
    '--max_threads_min_free_memory_per_thread=0',
    '--max_insert_threads_min_free_memory_per_thread=0',
    // Answers are held in memory until they are sent.
    `--max_result_bytes=${64 * 2 ** 20}`,
  ]
}

/** The process that has the folder open, by the engine's lock file, or undefined. */
function ownerOf(dataDir: string): number | undefined {
  try {
    const pid = Number(/PID: (\d+)/.exec(readFileSync(join(dataDir, 'status'), 'utf8'))?.[1])
    return pid === process.pid || Number.isNaN(pid) ? undefined : pid
  } catch {
    return undefined
  }
}

/**
 * Opens a chDB session. Sessions on one folder run side by side; each runs one query at a time.
 * @throws {Error} that names the process which has the folder open: chDB itself says only that it failed
 */
export function openSession(dataDir: string): Session {
  try {
    return new Session(dataDir, { connectionArgs: connectionArgs() })
  } catch (error) {
    const owner = ownerOf(dataDir)
    const reason =
      owner === undefined
        ? `${error instanceof Error ? error.message : error}`
        : `process ${owner} has it open, and only one process can`
    throw new Error(`Cannot open the warehouse folder ${dataDir}: ${reason}`, { cause: error })
  }
}

/** Settings as a SETTINGS clause and SET take them. The names are checked where they are read. */
export function assignments(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${quote(value)}`)
    .join(', ')
}
