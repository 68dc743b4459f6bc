import { randomUUID } from 'node:crypto'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFrame, segmentPath } from '../../ingest/log/segments.ts'
import { readCheckpoint } from '../../ingest/writer/checkpoint.ts'
import {
  listen,
  makeFolder,
  messages,
  open,
  rowOf,
  rowsInLog,
  ship,
  useWarehouse,
  writtenBytes,
} from '../kit/tracker/folder.ts'

const aheadBytes = 262_144

/** A folder whose first segment has one frame a path and then zeros, as a killed tracker leaves it. */
async function killedFolder(projectId: string, ...paths: readonly string[]) {
  const dir = await makeFolder()
  const log = await open(dir)
  for (const path of paths) await log.append(Buffer.from(rowOf(projectId, path)), 1)
  await log.close()
  await truncate(segmentPath(dir, 1), aheadBytes)
  await (await open(dir)).close()
  return dir
}

/** The start of the last frame of the first segment, and its end. */
async function lastFrame(dir: string) {
  const bytes = await readFile(segmentPath(dir, 1))
  let last = { start: 0, end: 0 }
  for (let frame = readFrame(bytes, 0); typeof frame === 'object'; ) {
    last = frame
    frame = readFrame(bytes, frame.end)
  }
  return { bytes, ...last }
}

test('small frames have zeros behind them, which neither the backlog nor a closed segment has', async () => {
  const dir = await makeFolder()
  const projectId = randomUUID()
  const log = await open(dir)
  for (const path of ['/1', '/2']) await log.append(Buffer.from(rowOf(projectId, path)), 1)
  const written = 2 * (8 + Buffer.byteLength(rowOf(projectId, '/1')))
  expect((await stat(segmentPath(dir, 1))).size).toBe(aheadBytes)
  expect(await writtenBytes(dir, 1)).toBe(written)
  expect(log.backlog()).toMatchObject({ bytes: written, segments: 1 })
  await log.close()
  expect((await stat(segmentPath(dir, 1))).size).toBe(written)
})

test('small frames fill the zeros, get new ones, and are whole across both', async () => {
  const dir = await makeFolder()
  const projectId = randomUUID()
  const log = await open(dir)
  const path = `/${'x'.repeat(40_000)}`
  for (let n = 0; n < 10; n++) await log.append(Buffer.from(rowOf(projectId, path)), 1)
  expect((await stat(segmentPath(dir, 1))).size).toBe(2 * aheadBytes)
  expect(await rowsInLog(dir)).toHaveLength(10)
})

test('a large frame has none', async () => {
  const dir = await makeFolder()
  const log = await open(dir)
  await log.append(Buffer.from(rowOf(randomUUID(), `/${'x'.repeat(100_000)}`)), 1)
  expect((await stat(segmentPath(dir, 1))).size).toBe(await writtenBytes(dir, 1))
})

test('the zeros of a segment before the last hold no segment back', async () => {
  const dir = await makeFolder()
  const projectId = randomUUID()
  const log = await open(dir, { segmentBytes: 500 })
  for (const path of ['/1', '/2', '/3', '/4', '/5', '/6']) {
    await log.append(Buffer.from(rowOf(projectId, path)), 1)
    expect((await stat(segmentPath(dir, 1))).size).toBeLessThanOrEqual(aheadBytes)
  }
  expect(await writtenBytes(dir, 1)).toBe((await stat(segmentPath(dir, 1))).size)
  expect(await rowsInLog(dir)).toHaveLength(6)
})

test('zeros of a tracker that was killed are no damage, and count for nothing', async () => {
  const { warehouse, projectId, paths } = useWarehouse()
  const dir = await killedFolder(projectId, '/1', '/2')
  const written = await writtenBytes(dir, 1)
  const told = listen()
  const log = await open(dir)
  expect(log.backlog().bytes).toBe(written)
  await log.close()
  await ship(dir, warehouse, told.log)
  expect(await paths()).toEqual(['/1', '/2'])
  expect(messages(told, 'warn')).toEqual([])
})

test('only zeros are an empty segment', async () => {
  const { warehouse, projectId, paths } = useWarehouse()
  const dir = await killedFolder(projectId)
  expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 0, damaged: 0 } })
  expect(await paths()).toEqual([])
})

test.each([1, 4, 8, 9, 40])(
  'a frame of which only %i bytes were written before zeros loses nothing',
  async (count) => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await killedFolder(projectId, '/1', '/2', '/3')
    const { bytes, start } = await lastFrame(dir)
    await writeFile(segmentPath(dir, 1), bytes.fill(0, start + count))
    expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 0, damaged: 0 } })
    expect(await paths()).toEqual(['/1', '/2'])
    expect((await readCheckpoint(dir))?.shipped.segment).toBe(2)
  },
)

test('a last frame that was damaged is kept, without the zeros behind it', async () => {
  const { warehouse, projectId, paths } = useWarehouse()
  const dir = await killedFolder(projectId, '/1', '/2', '/3')
  const { bytes, start, end } = await lastFrame(dir)
  bytes.writeUInt8((bytes[start + 30] ?? 0) ^ 1, start + 30)
  await writeFile(segmentPath(dir, 1), bytes)
  expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 0, damaged: 1 } })
  expect(await paths()).toEqual(['/1', '/2'])
  const [letter = ''] = (await readFile(join(dir, 'aside', 'refused.jsonl'), 'utf8')).split('\n')
  const base64 = bytes.subarray(start, end).toString('base64')
  expect(JSON.parse(letter)).toMatchObject({ segment: 1, offset: start, base64 })
})

test('a frame of zeros before a whole one is damage, as in a segment without zeros at its end', async () => {
  const { warehouse, projectId, paths } = useWarehouse()
  const dir = await killedFolder(projectId, '/1', '/2')
  const { bytes, start } = await lastFrame(dir)
  await writeFile(segmentPath(dir, 1), bytes.fill(0, 0, start - 1))
  expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 0, damaged: 1 } })
  expect(await paths()).toEqual(['/2'])
})
