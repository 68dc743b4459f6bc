import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../kit/repository.ts'

const run = promisify(execFile)

/** The path of the machine: npm then runs on its Node.js, which is older than ours where it warns. */
const machine = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

test('`npm ci` warns of nothing', async () => {
  const env = { PATH: machine, HOME: process.env.HOME }
  // The script of the package would build the dashboard while other tests read it.
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts']
  const { stdout, stderr } = await run('npm', args, { cwd: root, env, maxBuffer: 16_000_000 })
  expect(`${stdout}${stderr}`).not.toMatch(/warn|EBADENGINE|fund|vulnerabilit/i)
})
