// A worker whose reports either end at once, or never. It writes a line for each report that it begins.
import { pino } from 'pino'
import { readSettings } from '../../core/settings.ts'
import { createCatalog } from '../../prisma/client.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import type { JobHandler } from '../../worker/job.ts'
import { startWorker } from '../../worker/worker.ts'

const [, , databaseUrl = '', clickhouseUrl = '', name = '', end = ''] = process.argv
const report: JobHandler<{ reportId: string }> = {
  run: async ({ reportId }) => {
    process.stdout.write(`${name} ${reportId}\n`)
    if (end === 'never') await new Promise(() => undefined)
  },
  fail: async () => undefined,
  unfinished: async () => [],
}
await startWorker(
  {
    databaseUrl,
    db: createCatalog(databaseUrl),
    warehouse: createWarehouse({ url: clickhouseUrl }),
    settings: readSettings({}),
    secrets: { cursorSecret: 'x', signingSecrets: ['x'] },
    log: pino({ level: 'silent' }),
  },
  { handlers: { report } },
)
process.stdout.write('ready\n')
