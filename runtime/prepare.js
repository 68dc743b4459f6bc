// The end of `npm ci`, on the machine's own Node.js, which may be old: it brings a newer one, and builds the dashboard.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDashboard } from './dashboard.js'
import { linkNode } from './node.js'
import { slim } from './slim.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const say = (text) => process.stderr.write(`${text}\n`)

const node = linkNode(root)
if (node === null) {
  say(
    `Sightline needs Node.js 24 or newer, and this is ${process.version}. A newer one could not be fetched for ` +
      `${process.platform} ${process.arch}. Install Node.js 24 or newer, or give npm a network, and run \`npm ci\` again.`,
  )
  process.exitCode = 1
} else {
  slim(root)
  // An image installs before its sources are there.
  const isBuilt = !existsSync(join(root, 'dashboard', 'index.html')) || buildDashboard(root, node)
  if (isBuilt === false) process.exitCode = 1
  if (isBuilt === null) {
    say(
      'The dashboard is not built: npm could not fetch the tools that build it. The service runs without it. ' +
        'Run `npm run prepare` where npm has a network.',
    )
  }
}
