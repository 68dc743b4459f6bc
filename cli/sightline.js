#!/usr/bin/env node
// The one file that an old Node.js must be able to read: it hands over to the Node.js in node_modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = 24
const root = dirname(dirname(fileURLToPath(import.meta.url)))

function refuse() {
  const message =
    `Sightline needs Node.js ${NEEDED} or newer, and this is ${process.version}. ` +
    'Run `npm ci` in its folder, which brings one along, or install a newer Node.js.'
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ error: { code: 'node_too_old', message } })}\n`)
  } else {
    process.stderr.write(`${message}\n`)
  }
  process.exitCode = 1
}

function handOver() {
  const node = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(node) || process.env.SIGHTLINE_HANDED_OVER) {
    refuse()
    return
  }
  // The channel ends with us, so that the one that runs does not outlive us unseen.
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, SIGHTLINE_HANDED_OVER: '1' },
  })
  // A terminal signals the whole group; the others come to us alone.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', refuse)
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
    if (child.connected) child.disconnect()
  })
}

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  handOver()
} else {
  const folder = process.env.DATA_DIR ? resolve(process.env.DATA_DIR) : join(root, '.sightline')
  // Only in a folder that is there already: `sightline --help` leaves nothing behind.
  if (existsSync(folder)) module.enableCompileCache(join(folder, 'cache'))
  await import('./main.ts')
}
