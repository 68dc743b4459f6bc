import { spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { say } from './service.ts'

/**
 * npm run bench [PART …]
 *
 * Runs measurements one after the other: all parts, or the named ones. Each starts its own stores on free ports.
 */
const parts = [
  'doors',
  'statement',
  'reports',
  'windows',
  'graph',
  'costs',
  'scale',
  'import',
  'tracker',
  'collecting',
  'dashboard',
] as const

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !parts.some((part) => part === name))
if (unknown.length > 0) {
  throw new Error(`No part ${unknown.join(', ')}. The parts are ${parts.join(', ')}.`)
}
const gigabytes = Math.round(totalmem() / 1024 ** 3)
say(`${cpus()[0]?.model}, ${cpus().length} cores, ${gigabytes} GB, Node.js ${process.version}`)
for (const part of asked.length > 0 ? asked : parts) {
  say(`\n# ${part}`)
  const script = fileURLToPath(new URL(`${part}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
