import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { createCatalog } from '../../prisma/client.ts'
import { createWarehouse } from '../../warehouse/client.ts'

// A recount in a process of its own, to be killed: `reanalyze-child.ts <databaseUrl> <clickhouseUrl> <projectId>`.
const [databaseUrl = '', clickhouseUrl = '', projectId = ''] = process.argv.slice(2)
const db = createCatalog(databaseUrl)
const warehouse = createWarehouse({ url: clickhouseUrl })
process.stdout.write('ready\n')
const result = await reanalyze(
  { db, databaseUrl, warehouse },
  { projectId, onProgress: ({ answers }) => process.stdout.write(`counted ${answers}\n`) },
)
process.stdout.write(`${JSON.stringify(result)}\n`)
await Promise.all([db.$disconnect(), warehouse.close()])
