import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../kit/repository.ts'

const execute = promisify(execFile)

/** The path of the machine: npm then runs on its Node.js, which is older than ours where it warns. */
const machine = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

/** What `npm ci` installs: the service, the Node.js of an old machine, and the tools of the dashboard on their own. */
const installations: [string, string, readonly string[]][] = [
  ['`npm ci`', '.', []],
  ['the installation of Node.js', 'runtime', []],
  ['the installation of the tools that build the dashboard', '.', ['--workspace=dashboard']],
]

test.each(installations)('%s warns of nothing', async (_what, folder, options) => {
  const env = { PATH: machine, HOME: process.env.HOME }
  // The script of the package would build the dashboard while other tests read it.
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', ...options]
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const run = { cwd: join(root, folder), env, maxBuffer: 16_000_000 }
  const { stdout, stderr } = await execute('npm', folder === '.' ? args : [...args, ...quiet], run)
  expect(`${stdout}${stderr}`).not.toMatch(/warn|EBADENGINE|fund|vulnerabilit/i)
})
