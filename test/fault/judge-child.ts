import { openJudge } from '../../imports/judge/client.ts'
import { judgeProject } from '../../imports/judge/judge.ts'
import { createCatalog } from '../../prisma/client.ts'
import { createWarehouse } from '../../warehouse/client.ts'

// A run of the judge in a process of its own, to be killed: `judge-child.ts <databaseUrl> <clickhouseUrl> <projectId> <url>`.
const [databaseUrl = '', clickhouseUrl = '', projectId = '', url = ''] = process.argv.slice(2)
const db = createCatalog(databaseUrl)
const warehouse = createWarehouse({ url: clickhouseUrl })
const judge = openJudge({ JUDGE_MODEL: 'test', JUDGE_URL: url })
if (judge) await judgeProject({ db, databaseUrl, warehouse }, { projectId, judge })
await Promise.all([db.$disconnect(), warehouse.close()])
