import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The folder of this repository. */
export const root = join(import.meta.dirname, '../..')

const planted = 'test/gates/planted'

/** Every file that is ours, committed or about to be, by its path from the root; planted faults left out. */
export function ourFiles(): string[] {
  // A checkout that belongs to another user than the one who tests it is common in containers.
  const git = ['-c', 'safe.directory=*', 'ls-files', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', [...git, '-z'], { cwd: root, encoding: 'utf8' })
  return [...new Set(listed.split('\0'))].filter(
    (path) => path !== '' && !path.startsWith(`${planted}/`) && existsSync(join(root, path)),
  )
}

/** An empty folder for the length of the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-gate-'))
  // Processes that the test has killed may still write.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/** A folder with a planted tree and the named files of the root, as if it were this repository. */
export function plantedFolder(tree: string, ownFiles: readonly string[]): string {
  const folder = emptyFolder()
  cpSync(join(root, planted, tree), folder, { recursive: true })
  for (const name of ownFiles) cpSync(join(root, name), join(folder, name))
  return folder
}

/** Runs a program of the installed packages with our Node; never throws on a status other than 0. */
export async function runTool(
  folder: string,
  program: string,
  ...args: string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof runTool>>>()
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
  execFile(process.execPath, [join(root, program), ...args], options, (error, stdout, stderr) => {
    const status = error === null ? 0 : error.code
    if (typeof status === 'number') resolve({ status, stdout, stderr })
    else reject(error)
  })
  return promise
}
