import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ourFiles, root } from '../kit/repository.ts'

const run = promisify(execFile)

/** The path of the machine, whose Node.js may be older than ours. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)
const env = { PATH, HOME: process.env.HOME, npm_config_cache: process.env.npm_config_cache }

let folder: string
const at = (...path: string[]) => join(folder, ...path)
const node = (...args: string[]) => run(at('node_modules/.bin/node'), args, { cwd: folder, env })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-install-'))
  const needed = ourFiles().filter((path) => !/^(test|bench)\//.test(path))
  for (const path of needed) cpSync(join(root, path), at(path))
  // A source of ours, to which the packages have a link.
  writeFileSync(at('packages/sender/ours.d.ts'), '')
  // The cache of npm has all of it since this repository was installed.
  await run('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder, env })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('`npm ci --omit=dev` writes generated code, builds the dashboard, keeps none of the tools, and deletes no file of ours', () => {
  expect(existsSync(at('prisma/generated/client.ts'))).toBe(true)
  expect(existsSync(at('dashboard/dist/index.html'))).toBe(true)
  for (const path of ['dashboard/node_modules', 'codegen/node_modules', 'node_modules/.tools']) {
    expect(existsSync(at(path))).toBe(false)
  }
  expect(existsSync(at('packages/sender/ours.d.ts'))).toBe(true)
  const packages = readdirSync(at('node_modules'))
  for (const name of ['vite', 'react', 'react-dom', 'typescript', 'prisma-cli', 'vitest', 'node']) {
    expect(packages).not.toContain(name)
  }
})

test('commands run on a Node.js that is new enough, whatever the machine has', async () => {
  const { stdout } = await node('--version')
  expect(Number.parseInt(stdout.slice(1), 10)).toBeGreaterThanOrEqual(24)
  const started = await run('node', ['cli/sightline.js', '--help'], { cwd: folder, env })
  expect(started.stdout).toContain('serve')
})

test('the service finds every package and file that it imports', async () => {
  const files = ['server.ts', 'web/share/page.ts', 'worker/judge.ts', 'imports/collecting/ask.ts']
  const code = files.map((file) => `await import('./${file}')`).join(';')
  const { stderr } = await node('--input-type=module', '--eval', code)
  expect(stderr).not.toContain('ERR_MODULE_NOT_FOUND')
})

test('without a network the installation fails and says what is missing', () => {
  rmSync(at('dashboard/dist'), { recursive: true })
  const away = { npm_config_cache: at('empty-cache'), npm_config_registry: 'http://127.0.0.1:9/' }
  const prepare = spawnSync('node', ['install/prepare.js'], {
    cwd: folder,
    env: { ...env, ...away },
    encoding: 'utf8',
  })
  expect([prepare.status, prepare.stderr]).toEqual([
    1,
    expect.stringContaining('could not fetch the tools'),
  ])
  expect(existsSync(at('dashboard/dist'))).toBe(false)
  expect(existsSync(at('dashboard/node_modules'))).toBe(false)
})
