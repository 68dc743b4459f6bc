import { join } from 'node:path'
import { pino } from 'pino'
import { openBots } from '../../ingest/bots/bots.ts'
import { createVerifier } from '../../ingest/endpoint/key.ts'
import { startTracker } from '../../ingest/endpoint/tracker.ts'
import { openLog } from '../../ingest/log/log.ts'

// The endpoint in a process of its own, to be killed: `tracker-child.ts <folder> <port> <secret> <limits as JSON>`.
const [dir = '', port = '', secret = '', limits = '{}'] = process.argv.slice(2)
const logger = pino({ level: 'warn' }, pino.destination(2))
const none: ReadonlySet<string> = new Set()
const log = await openLog({ dir, log: logger, minFreeBytes: 0, ...JSON.parse(limits) })
const bots = await openBots({ lastGoodFile: join(dir, 'bots.json'), log: logger })
const verifier = createVerifier({
  secrets: [secret],
  revoked: () => ({ keys: none, projects: none }),
})
const tracker = await startTracker({
  host: '127.0.0.1',
  port: Number(port),
  log,
  bots,
  verifier,
  logger,
})
process.stdout.write(`${tracker.port}\n`)
