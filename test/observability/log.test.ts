import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { logOptions, withoutValues } from '../../observability/log-fields.ts'
import { openPartLog } from '../../observability/part-log.ts'
import { openMetrics } from '../../observability/registry.ts'
import { inRequest } from '../../observability/spans.ts'
import { samplesOf, sumOf } from '../kit/observability/samples.ts'

test.each([
  [
    "Query a.b:x failed: Code: 47. DB::Exception: No column in scope SELECT 'secret'. (UNKNOWN_IDENTIFIER)",
    'Query a.b:x failed: Code: 47. DB::Exception: … (UNKNOWN_IDENTIFIER)',
  ],
  [
    'duplicate key value\nDETAIL: Key (name, id)=(secret (a), 1) already exists.',
    'duplicate key value\nDETAIL: Key (name, id)=(…) already exists.',
  ],
  [`Unexpected token 's', "{ "a": secret" is not valid JSON`, 'Unexpected token is not valid JSON'],
  [`Expected ',' in JSON at position 7`, `Expected ',' in JSON at position 7`],
])('the log shows the kind of an error without its values: %s', (text, safe) => {
  expect(withoutValues(text)).toBe(safe)
})

test('each line of a request has its id, and an error has no field that a package adds', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    logOptions,
    new Writable({ write: (line, _, next) => next(void lines.push(JSON.parse(String(line)))) }),
  )
  await inRequest({ headers: {}, method: 'GET' }, 'request-1', async () => {
    await null
    log.info('inside')
    log.warn({ requestId: 'request-2' }, 'named')
  })
  log.error(
    { err: Object.assign(new Error('It fails.'), { code: 'X1', body: 'secret' }) },
    'outside',
  )
  expect(lines.map(({ requestId }) => requestId)).toEqual(['request-1', 'request-2', undefined])
  const err = { type: 'Error', message: 'It fails.', code: 'X1', stack: expect.any(String) }
  expect(lines[2]?.err).toEqual(err)
})

test('lines that cannot be written are lost and counted, and the next line says how many', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(fd))
  const metrics = openMetrics('worker')
  const reasons: string[] = []
  const log = openPartLog({ name: 'worker', fd, metrics, onLoss: (why) => reasons.push(why) })
  // A pipe that nobody reads is a disk without space.
  const page = Buffer.alloc(4096)
  let inPipe = 0
  expect(() => {
    for (;;) inPipe += writeSync(fd, page)
  }).toThrow('EAGAIN')
  for (const line of ['one', 'two', 'three']) log.info(line)
  expect(reasons).toEqual([expect.stringContaining('EAGAIN')])
  expect(sumOf(samplesOf(await metrics.text()), 'sightline_log_lines_lost_total')).toBe(3)

  readSync(fd, Buffer.alloc(inPipe))
  log.info('four')
  log.info('five')
  const bytes = Buffer.alloc(inPipe)
  const text = bytes.toString('utf8', 0, readSync(fd, bytes))
  const lines = text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'four' },
    { lost: 3, msg: 'lines before this time could not be written to the log' },
    { msg: 'five' },
  ])
})

test('a log on a full disk throws nothing', () => {
  const fd = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(fd))
  const reasons: string[] = []
  const log = openPartLog({ name: 'api', fd, onLoss: (why) => reasons.push(why) })
  log.fatal('one')
  log.info('two')
  expect(reasons).toEqual([expect.stringContaining('ENOSPC')])
})
