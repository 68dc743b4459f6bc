import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseRanges } from '../../core/bots/crawler-ranges.ts'
import { knownRanges } from '../../ingest/bots/known.ts'
import { openRanges } from '../../ingest/bots/ranges.ts'
import { until } from '../kit/service.ts'
import { startEndpoint } from '../kit/tracker/endpoint.ts'
import { listen, makeFolder, rowsInLog } from '../kit/tracker/folder.ts'
import { hitOf } from '../kit/tracker/service.ts'

const rangesOf = (...prefixes: string[]) =>
  JSON.stringify({ ranges: [{ crawler: 'GPTBot', asOf: '2026-11-21', prefixes }] })

test('the tracker verifies by the ranges of the operator, and by the last good ones when they are broken', async () => {
  const file = join(await makeFolder(), 'ranges.json')
  await writeFile(file, rangesOf('198.51.101.0/24'))
  const { ranges, post, bodyOf, dir, told } = await startEndpoint({ rangesFile: file })
  const proved = (address: string) => ranges.current()('GPTBot', address)
  await until(() => proved('198.51.101.7') === 'verified')
  const hits = ['198.51.101.7', '20.171.207.9'].map((ip_address) => ({
    ...hitOf(`/${ip_address}`),
    ip_address,
  }))
  expect((await post(bodyOf(hits))).status).toBe(202)
  const rows = (await rowsInLog(dir)).map((row) => JSON.parse(row))
  expect(rows.map(({ path, verification }) => [path, verification])).toEqual([
    ['/198.51.101.7', 'verified'],
    ['/20.171.207.9', 'impostor'],
  ])

  await writeFile(file, rangesOf('198.51.101.0/33'))
  const warned = () =>
    told.lines.some(({ message }) => message.includes('[0].prefixes[0]: must be a range'))
  await until(warned)
  expect(proved('198.51.101.7')).toBe('verified')

  await writeFile(file, rangesOf('20.171.207.0/24'))
  await until(() => proved('20.171.207.9') === 'verified')
  expect(proved('198.51.101.7')).toBe('impostor')
})

test('a start without the source has the last good ranges, of this source alone', async () => {
  const dir = await makeFolder()
  const source = join(dir, 'own.json')
  await writeFile(source, rangesOf('198.51.101.0/24'))
  const lastGoodFile = join(dir, 'crawler-ranges.json')
  const { log, lines } = listen()
  const options = { lastGoodFile, log, refreshMs: 50 }
  const first = await openRanges({ ...options, source })
  onTestFinished(first.close)
  const kept = async (of: string | undefined) => (await knownRanges(dir, of))[0]?.prefixes.length
  await until(async () => (await kept(source)) === 1)
  first.close()
  await writeFile(source, 'broken')
  const second = await openRanges({ ...options, source })
  onTestFinished(second.close)
  expect(second.current()('GPTBot', '198.51.101.7')).toBe('verified')
  await until(() => lines.some(({ message }) => message.includes('it is not JSON')))
  const other = await openRanges({ ...options, source: `${source}.2` })
  onTestFinished(other.close)
  expect(other.current()('GPTBot', '20.171.207.9')).toBe('verified')
  expect(await kept(undefined)).toBeGreaterThan(1)
})

test.each([
  ['no list', {}, 'expected array'],
  ['an empty list', [], 'Too small'],
  ['no day', [{ crawler: 'A', prefixes: ['192.0.2.0/24'] }], '[0].asOf'],
  ['no ranges', [{ crawler: 'A', asOf: '2026-01-01', prefixes: [] }], '[0].prefixes'],
  ['an address', [{ crawler: 'A', asOf: '2026-01-01', prefixes: ['192.0.2.1'] }], 'a range'],
])('ranges with %s are refused with the reason', (_name, json, reason) => {
  expect(() => parseRanges(json)).toThrow(reason)
})
