// The end of `npm ci`, on the machine's own Node.js, which may be old: it brings a newer one, writes generated code, and
// builds the dashboard.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeGenerated } from './generated.js'
import { linkNode } from './node.js'
import { slim } from './slim.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const say = (text) => process.stderr.write(`${text}\n`)

// `npx sightline` links the package into npm's cache, and npm prepares what it links. Here all is there already.
const isRunByNpx =
  process.env.npm_command === 'exec' && existsSync(join(root, 'dashboard', 'dist', 'index.html'))
const node = isRunByNpx ? undefined : linkNode(root)
if (node === null) {
  say(
    `Sightline needs Node.js 24 or newer, and this is ${process.version}. A newer one could not be fetched for ` +
      `${process.platform} ${process.arch}. Install Node.js 24 or newer, or give npm a network, and run \`npm ci\` again.`,
  )
  process.exitCode = 1
} else if (node !== undefined) {
  // An image may install before its sources are there.
  const isWritten = !existsSync(join(root, 'prisma', 'schema.prisma')) || writeGenerated(root, node)
  if (isWritten === null) {
    say(
      'npm could not fetch the tools that write generated code and build the dashboard. ' +
        'Run `npm run prepare` where npm has a network.',
    )
  }
  if (isWritten !== true) process.exitCode = 1
  slim(root)
}
