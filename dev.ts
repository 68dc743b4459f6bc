import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSettings } from './core/settings.ts'
import { serveDashboard } from './dashboard/build.ts'

/**
 * `npm run dev`: the service, which restarts when its code changes and keeps its data, and the dashboard from its sources,
 * at a port of its own. `--reset` deletes the data first, so that the demo is made again.
 */

const root = import.meta.dirname
const dashboardPort = 5173

const { values } = parseArgs({ options: { reset: { type: 'boolean', default: false } } })
const settings = readSettings(process.env)
const say = (text: string) => process.stdout.write(`${text}\n`)

if (values.reset) {
  // Never a folder that was set: it may hold more than a demo.
  if (process.env.DATA_DIR) throw new Error('Unset DATA_DIR, or delete that folder yourself.')
  await rm(join(root, '.sightline'), { recursive: true, force: true })
}

/** Folders whose code the processes of the service load. */
const watched = [
  'api',
  'cli',
  'core',
  'demo',
  'disk',
  'imports',
  'ingest',
  'observability',
  'plugins',
  'prisma',
  'resolvers',
  'rest',
  'schema',
  'server.ts',
  'site',
  'warehouse',
  'web',
  'worker',
]

const service = spawn(
  process.execPath,
  [
    ...watched.map((path) => `--watch-path=${join(root, path)}`),
    '--watch-preserve-output',
    join(root, 'cli/sightline.js'),
    'serve',
  ],
  { cwd: root, stdio: 'inherit' },
)
service.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))

const url = await serveDashboard(`http://127.0.0.1:${settings.PORT}`, dashboardPort)
say(`\n  The dashboard from its sources: ${url} (append the #code=… that the service prints)`)
