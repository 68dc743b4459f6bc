import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, rowsInLog } from '../kit/tracker/folder.ts'
import { makeSite, send, startTrackerPart } from '../kit/tracker/processes.ts'
import { checkSyncs } from './sync-trace.ts'

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const mark = /\/mark-\d{4}/

test.skipIf(!canTrace)(
  'no request is answered by 202 before its events are on disk, by the system calls',
  async () => {
    const dir = await makeFolder()
    const site = makeSite()
    const file = join(dir, 'trace')
    const calls = 'trace=read,write,writev,pwrite64,fdatasync'
    const through = ['strace', '-f', '-y', '-s', '1000000', '-e', calls, '-o', file]
    const tracker = await startTrackerPart({ dir, site, through })
    onTestFinished(() => tracker.kill())
    let count = 0
    async function client(): Promise<void> {
      while (count < 200) {
        const response = await send(tracker, site, [`/mark-${String(count++).padStart(4, '0')}`])
        expect(response?.status).toBe(202)
      }
    }
    // One after the other, then side by side, when one sync serves many.
    await send(tracker, site, ['/mark-9999'])
    await Promise.all(Array.from({ length: 8 }, client))
    await tracker.kill()

    const sent = count + 1
    expect(await rowsInLog(dir)).toHaveLength(sent)
    const trace = await readFile(file, 'utf8')
    expect(checkSyncs(trace, mark)).toEqual({ acknowledged: sent, tooEarly: [] })

    // The same trace, had the tracker not waited, or had the disk said no.
    const doctored = {
      missing: trace.replaceAll('fdatasync', 'fsomething'),
      failed: trace.replace(/(fdatasync.*) = 0$/gm, '$1 = -1 EIO (Input/output error)'),
      late: [...trace.split('\n')]
        .sort((a, b) => Number(/fdatasync/.test(a)) - Number(/fdatasync/.test(b)))
        .join('\n'),
    }
    for (const [name, text] of Object.entries(doctored)) {
      const { acknowledged, tooEarly } = checkSyncs(text, mark)
      expect({ acknowledged, tooEarly: tooEarly.length }, name).toEqual({
        acknowledged: sent,
        tooEarly: sent,
      })
    }
  },
  120_000,
)
