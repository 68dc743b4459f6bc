import { createReadStream } from 'node:fs'
import { importAnswers } from '../../imports/answers/answers.ts'
import { linesOf } from '../../imports/files/lines.ts'
import { createCatalog } from '../../prisma/client.ts'
import { createWarehouse } from '../../warehouse/client.ts'

// An import in a process of its own, to be killed: `import-child.ts <databaseUrl> <clickhouseUrl> <projectId> <file>`.
const [databaseUrl = '', clickhouseUrl = '', projectId = '', file = ''] = process.argv.slice(2)
const db = createCatalog(databaseUrl)
const warehouse = createWarehouse({ url: clickhouseUrl })
process.stdout.write('ready\n')
const result = await importAnswers(
  { db, databaseUrl, warehouse },
  {
    projectId,
    lines: linesOf(createReadStream(file)),
    onProgress: ({ loaded }) => process.stdout.write(`loaded ${loaded}\n`),
  },
)
process.stdout.write(`${JSON.stringify(result)}\n`)
await Promise.all([db.$disconnect(), warehouse.close()])
