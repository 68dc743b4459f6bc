import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logOptions, withoutValues } from '../../observability/log-fields.ts'
import { inRequest } from '../../observability/spans.ts'

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
