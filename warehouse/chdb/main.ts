// First of all: it sets the number of threads.
import './threads.ts'
import { logOptions } from '../../observability/log-fields.ts'
import { openPartLog } from '../../observability/part-log.ts'
import { openMetrics } from '../../observability/registry.ts'
import { startWarehouse } from './server.ts'

// The entry of the warehouse process. A parent forks it, and hears `{ type: 'ready', port }`.
const { WAREHOUSE_DIR, WAREHOUSE_HOST, WAREHOUSE_PORT, WAREHOUSE_PASSWORD } = process.env
if (!WAREHOUSE_DIR || !WAREHOUSE_PASSWORD) {
  process.stderr.write('WAREHOUSE_DIR and WAREHOUSE_PASSWORD must be set.\n')
  process.exit(1)
}

const name = 'warehouse'
const metrics = openMetrics(name)
const hasParent = process.channel !== undefined
const started = startWarehouse({
  dataDir: WAREHOUSE_DIR,
  host: WAREHOUSE_HOST || '127.0.0.1',
  port: Number(WAREHOUSE_PORT || 0),
  password: WAREHOUSE_PASSWORD,
  log: openPartLog({ ...logOptions, name, level: process.env.LOG_LEVEL || 'info', metrics }),
  metrics,
})

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  // A statement that hangs must not keep the process: what was acknowledged is on disk already.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 8_000).unref()
  await started.then((server) => server.close()).catch(() => undefined)
  process.exit(0)
}

process.on('SIGTERM', stop)
process.on('disconnect', stop)
// Ctrl-C in a terminal reaches every process; the parent then ends this one in its turn.
process.on('SIGINT', () => (hasParent ? undefined : stop()))

started.then(
  ({ port }) => process.send?.({ type: 'ready', port }),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
