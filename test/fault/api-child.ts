import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { readSettings } from '../../core/settings.ts'
import { startApi } from '../../server.ts'

// An API in a process of its own, to be killed: `api-child.ts <databaseUrl> <clickhouseUrl> [log level] [port]`. It
// prints its address, and its log to standard error.
const [databaseUrl = '', clickhouseUrl = '', level = 'silent', PORT] = process.argv.slice(2)
const api = await startApi({
  settings: readSettings(PORT ? { PORT } : {}),
  databaseUrl,
  clickhouseUrl,
  secrets: { cursorSecret: 'test', signingSecrets: ['test'] },
  log: pino({ level }, pino.destination(2)),
})
api.server.listen(Number(PORT ?? 0), '127.0.0.1', () => {
  const { port } = api.server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
// With `--expose-gc`.
process.on('SIGUSR2', () => globalThis.gc?.())
