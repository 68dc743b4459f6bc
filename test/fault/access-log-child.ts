import { createReadStream } from 'node:fs'
import { builtinBots, createBotMatcher } from '../../core/bots/bots.ts'
import { importAccessLog } from '../../imports/access-log/access-log.ts'
import { createCatalog } from '../../prisma/client.ts'
import { createWarehouse } from '../../warehouse/client.ts'

// An import in a process of its own, to be killed: `access-log-child.ts <databaseUrl> <clickhouseUrl> <projectId> <file>`.
const [databaseUrl = '', clickhouseUrl = '', projectId = '', file = ''] = process.argv.slice(2)
const db = createCatalog(databaseUrl)
const warehouse = createWarehouse({ url: clickhouseUrl })
process.stdout.write('ready\n')
const result = await importAccessLog(
  { db, databaseUrl, warehouse },
  {
    projectId,
    format: 'combined',
    host: 'acme.com',
    bots: createBotMatcher(builtinBots),
    open: () => createReadStream(file),
    onProgress: ({ read }) => process.stdout.write(`read ${read}\n`),
  },
)
process.stdout.write(`${JSON.stringify(result)}\n`)
await Promise.all([db.$disconnect(), warehouse.close()])
