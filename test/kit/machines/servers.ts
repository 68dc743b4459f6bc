import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { withoutPreload } from '../day.ts'
import { freePort } from '../web/free-port.ts'

/** Whether a server program is installed. In continuous integration each must be. */
export function isInstalled(program: 'redis-server' | 'nats-server'): boolean {
  const isThere = spawnSync(program, ['--version'], { env: withoutPreload() }).status === 0
  if (!isThere && process.env.CI === 'true') throw new Error(`${program} is missing`)
  return isThere
}

export interface TestServer {
  readonly url: string
  /** Ends it by SIGKILL. */
  kill(): Promise<void>
  /** Stops it by SIGSTOP: it answers no more, and its connections stay. */
  stop(): void
  /** Starts it again on the same port, after `kill`. */
  restart(): Promise<void>
}

/** Runs a program until it writes that it is ready. */
async function serverOf(
  scheme: string,
  argsOf: (port: number) => readonly [program: string, ...args: string[]],
  ready: string,
): Promise<TestServer> {
  const port = await freePort()
  let child: ChildProcess | undefined

  async function restart(): Promise<void> {
    const [program, ...args] = argsOf(port)
    const started = spawn(program, args, { env: withoutPreload(), stdio: 'pipe' })
    child = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      const hear = (text: Buffer) => {
        said += text
        if (said.includes(ready)) resolve()
      }
      started.stdout.on('data', hear)
      started.stderr.on('data', hear)
      started.once('exit', () => reject(new Error(`${program} did not start: ${said}`)))
    })
  }
  await restart()
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    restart,
    stop: () => void child?.kill('SIGSTOP'),
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A Redis of the test's own, without files. */
export function startRedis(): Promise<TestServer> {
  const bounds = ['--save', '', '--bind', '127.0.0.1']
  return serverOf(
    'redis',
    (port) => ['redis-server', '--port', String(port), ...bounds],
    'Ready to accept',
  )
}

/** A NATS with JetStream of the test's own, and the folder of its files. It keeps them when it is killed. */
export async function startNats(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-nats-'))
  const config = join(folder, 'nats.conf')
  await writeFile(config, `max_payload: 4MB\njetstream { store_dir: ${JSON.stringify(folder)} }\n`)
  const server = await serverOf(
    'nats',
    (port) => ['nats-server', '-c', config, '-a', '127.0.0.1', '-p', String(port)],
    'Server is ready',
  )
  onTestFinished(async () => {
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  })
  return server
}
