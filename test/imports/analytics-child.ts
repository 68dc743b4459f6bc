import { createCatalog } from '../../prisma/client.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { importSearch } from '../kit/imports/search-console.ts'

// An import of Search Console in a process of its own, which dies once a statement has ended:
// `analytics-child.ts <databaseUrl> <clickhouseUrl> <projectId> <statement> <text>`.
const [databaseUrl = '', clickhouseUrl = '', projectId = '', statement = '', text = ''] =
  process.argv.slice(2)
const observer = {
  ended: (id: string) => {
    if (id === statement) process.kill(process.pid, 'SIGKILL')
  },
  frozen: () => undefined,
}
const warehouse = createWarehouse({ url: clickhouseUrl, observer })
await importSearch({ db: createCatalog(databaseUrl), databaseUrl, warehouse }, projectId, text)
