import { pino } from 'pino'
import { startWriter } from '../../ingest/writer/writer.ts'
import { createWarehouse } from '../../warehouse/client.ts'

// The writer in a process of its own, to be killed: `tracker-writer-child.ts <folder> <clickhouseUrl>`.
const [dir = '', url = ''] = process.argv.slice(2)
const log = pino({ level: 'warn' }, pino.destination(2))
startWriter({ dir, warehouse: createWarehouse({ url }), log })
process.stdout.write('ready\n')
