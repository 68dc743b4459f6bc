import { onTestFinished } from 'vitest'
import { firstLine, makeDataFolder, resultOf, spawnCli } from '../kit/service.ts'

export interface Machine {
  readonly url: string
  readonly pid: number
  /** Ends every process of the command by SIGKILL, as a machine without power ends. */
  kill(): Promise<void>
}

/**
 * A command that runs alone, with a data folder of its own, for the test that asks for it.
 * @param fill makes the folder before the start
 */
export async function startMachine(
  command: 'api' | 'tracker' | 'tracker-writer',
  env: Record<string, string>,
  fill: (dataDir: string) => Promise<void> = async () => undefined,
): Promise<Machine> {
  const folder = await makeDataFolder()
  await fill(folder.path)
  const child = spawnCli([command, '--json'], { env: { DATA_DIR: folder.path, ...env } })
  const ended = resultOf(child)
  const ready = await Promise.race([firstLine(child), ended])
  if (typeof ready !== 'string') throw new Error(`It did not start: ${JSON.stringify(ready)}`)
  const { pid = 0 } = child
  async function kill(): Promise<void> {
    // The command is the first of a process group of its own.
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL')
    await ended
  }
  onTestFinished(async () => {
    await kill()
    await folder.remove()
  })
  return { url: JSON.parse(ready).url ?? '', pid, kill }
}
