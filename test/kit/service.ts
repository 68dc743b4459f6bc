import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { locateDataDir, readSecrets } from '../../cli/folder/data-dir.ts'
import { askOwner, type DataDirOwner } from '../../cli/folder/data-dir-lock.ts'
import type { HostedCommand } from './command-host.ts'

const hostFile = fileURLToPath(new URL('./command-host.ts', import.meta.url))
const launcher = fileURLToPath(new URL('../../cli/sightline.js', import.meta.url))

export interface CliOptions {
  /** Beside PATH and the temporary folder, which are all that a command inherits. */
  env?: Record<string, string>
  /** Standard input. */
  input?: string | Buffer
  /** User and group to run as, for a test that runs as root. */
  uid?: number
}

export interface CliResult {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder for data, not made yet: its parent is temporary, and gone after `remove`. */
export async function makeDataFolder(uid?: number) {
  const parent = await mkdtemp(join(tmpdir(), 'sightline-service-'))
  if (uid !== undefined) await chown(parent, uid, uid)
  return {
    path: join(parent, 'data'),
    parent,
    remove: () => rm(parent, { recursive: true, force: true }),
  }
}

/** The clock of a run under libfaketime: a command that has another clock than its test reads other days. */
const clock = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && /^(LD_PRELOAD|FAKETIME.*)$/.test(name) ? [[name, value]] : [],
  ),
)

/** All variables of a command. */
function environmentOf({ env }: CliOptions): Record<string, string> {
  const { PATH = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env
  return {
    PATH,
    ...(TMPDIR ? { TMPDIR } : {}),
    // Without it each folder of data begins with nothing compiled.
    ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
    ...clock,
    NO_COLOR: '1',
    PORT: '0',
    TRACKER_PORT: '0',
    ...env,
  }
}

/** Starts a command, as `npx sightline` does. */
export function spawnCli(args: readonly string[], options: CliOptions = {}): ChildProcess {
  return spawn(process.execPath, [launcher, ...args], {
    // As for the launcher: the channel ends the command with us, however we end.
    env: { SIGHTLINE_HANDED_OVER: '1', ...environmentOf(options) },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    // A process group of its own, as a terminal gives to each command.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  })
}

let host: ChildProcess | undefined
let isHostBusy = false

/**
 * Runs a command to its end, in a process that earlier commands used. A command has a process of its own if it runs as
 * another user, with options of Node.js, or beside another command.
 */
export async function runCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const isOrdinary = options.uid === undefined && options.env?.NODE_OPTIONS === undefined
  if (isOrdinary && !isHostBusy) {
    const input = Buffer.from(options.input ?? '').toString('base64')
    return runHosted({ args, env: environmentOf(options), input })
  }
  const child = spawnCli(args, options)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input)
  return resultOf(child)
}

async function runHosted(command: HostedCommand): Promise<CliResult> {
  isHostBusy = true
  // Its channel ends it with us.
  host ??= fork(hostFile, { execArgv: [], env: environmentOf({}), stdio: 'inherit' })
  const settled = new AbortController()
  const { signal } = settled
  try {
    host.send(command)
    const ended = once(host, 'exit', { signal }).then(([code]) => {
      throw new Error(`\`${command.args.join(' ')}\` ended the process of all commands: ${code}.`)
    })
    return await Promise.race([once(host, 'message', { signal }).then(([result]) => result), ended])
  } finally {
    settled.abort()
    isHostBusy = false
  }
}

/** Runs a command with `--json`, and reads the one object that it prints. */
export async function runJson<T = Record<string, unknown>>(
  args: readonly string[],
  options: CliOptions = {},
): Promise<T> {
  const { stdout, stderr } = await runCli([...args, '--json'], options)
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`sightline ${args.join(' ')} printed "${stdout}" and "${stderr}"`)
  }
}

const partNames = ['api', 'tracker', 'trackerWriter', 'worker', 'catalog', 'warehouse'] as const

type PartName = (typeof partNames)[number]

export interface TestService {
  readonly url: string
  readonly trackerUrl: string
  /** Empty without METRICS_PORT. */
  readonly metricsUrl: string
  readonly pid: number
  readonly dataDir: string
  readonly env: Record<string, string>
  /** Empty without the demonstration. */
  readonly demoKey: string
  readonly demoProjectId: string
  /** Of the pages, each for one sign-in; empty where the start signs nobody in. */
  readonly codes: { readonly dashboard?: string }
  /** The processes that run now. */
  parts(): Promise<Partial<Record<PartName, number>>>
  /** The process of a part, as soon as it runs. A signal to the process 0 would end the tests themselves. */
  pidOf(part: PartName): Promise<number>
  /** GET with the demonstration's key, or another; null has none. */
  get(path: string, key?: string | null): Promise<Response>
  signal(signal: NodeJS.Signals): void
  /** Resolves when it has ended. */
  readonly ended: Promise<CliResult>
  /** Ends it in order, and removes its data when the kit made them. */
  stop(): Promise<CliResult>
}

export interface ServiceOptions extends Omit<CliOptions, 'input'> {
  /** Default: a new folder. */
  dataDir?: string
}

/** A service of the test's own: `sightline serve` on free ports and a temporary folder. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const folder = options.dataDir ? undefined : await makeDataFolder(options.uid)
  const dataDir = options.dataDir ?? folder?.path ?? ''
  const env = { ...options.env, DATA_DIR: dataDir }
  const child = spawnCli(['serve', '--json'], { ...options, env })
  const ended = resultOf(child)
  const ready = await Promise.race([firstLine(child), ended])
  // A start that fails prints its error where the addresses would stand.
  if (typeof ready !== 'string' || JSON.parse(ready).error) {
    throw new Error(`It did not start: ${JSON.stringify(await ended)}`)
  }
  const { url, trackerUrl, metricsUrl = '', pid, demo, codes } = JSON.parse(ready)
  const demoKey: string = demo?.key ?? ''
  const parts = async (): Promise<Partial<Record<PartName, number>>> => {
    const info = await holderOf(dataDir)
    return Object.fromEntries(
      partNames.flatMap((name) => {
        const part = info?.[name]
        return part ? [[name, part.pid]] : []
      }),
    )
  }
  return {
    url,
    trackerUrl,
    metricsUrl,
    pid,
    dataDir,
    env,
    demoKey,
    demoProjectId: demo?.projectId ?? '',
    codes: codes ?? {},
    ended,
    parts,
    async pidOf(part) {
      let pid: number | undefined
      await until(async () => {
        pid = (await parts())[part]
        return pid !== undefined
      })
      return pid ?? Number.NaN
    },
    get: (path, key = demoKey) =>
      fetch(url + path, { headers: key === null ? {} : { authorization: `Bearer ${key}` } }),
    signal: (signal) => process.kill(pid, signal),
    stop: async () => {
      child.kill('SIGTERM')
      const result = await ended
      await folder?.remove()
      return result
    },
  }
}

/** Who holds a data folder now. */
export async function holderOf(dataDir: string): Promise<DataDirOwner | undefined> {
  const place = locateDataDir({ DATA_DIR: dataDir })
  const holder = await askOwner(place, await readSecrets(place))
  holder?.leave()
  return holder?.owner
}

/**
 * Resolves when the condition holds. The pauses grow to a quarter of a second, since
 * many conditions ask with a key, which has 600 units a minute.
 * @returns how long that took, in milliseconds
 */
export async function until(
  holds: () => Promise<boolean> | boolean,
  limitMs = 200_000,
): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    const elapsedMs = performance.now() - began
    if (elapsedMs > limitMs) throw new Error(`not within ${limitMs} ms: ${holds}`)
    await sleep(Math.min(Math.max(40, elapsedMs / 20), 250))
  }
  return performance.now() - began
}

/** True while the process runs. One that has ended and waits for init to notice does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // Without /proc, the signal is the only evidence.
    return (error as NodeJS.ErrnoException).syscall === 'open' && process.platform !== 'linux'
  }
}

/** What a command has said, and how it ended. */
export async function resultOf(child: ChildProcess): Promise<CliResult> {
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  const [stdout = '', stderr = ''] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  )
  return { code: await code, stdout, stderr }
}

/** Resolves with what it has written to standard output, once that is a line. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let sofar = ''
    child.stdout?.on('data', (chunk) => {
      sofar += chunk
      if (sofar.includes('\n')) resolve(sofar)
    })
  })
}
