import { cp, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listSegments, readFrame, segmentPath } from '../../ingest/log/segments.ts'
import { openCheckpoint, readCheckpoint } from '../../ingest/writer/checkpoint.ts'
import { startWriter } from '../../ingest/writer/writer.ts'
import { insert, run, type Warehouse } from '../../warehouse/run.ts'
import { isSoak } from '../kit/soak.ts'
import {
  listen,
  makeFolder,
  messages,
  open,
  pathsTo,
  rowOf,
  ship,
  useWarehouse,
  writtenBytes,
} from '../kit/tracker/folder.ts'

/** A folder whose log has one frame a group of paths, and is no longer written to. */
async function folderWith(projectId: string, ...groups: readonly (readonly string[])[]) {
  const dir = await makeFolder()
  const log = await open(dir)
  for (const paths of groups) {
    await log.append(
      Buffer.from(paths.map((path) => rowOf(projectId, path)).join('')),
      paths.length,
    )
  }
  await log.close()
  // The start after it, by which the writer knows that the first segment is done with.
  await (await open(dir)).close()
  return dir
}

/** Notes down that all of the first segment is about to be sent. @returns the token of that */
async function noteBatch(dir: string): Promise<string> {
  const size = await writtenBytes(dir, 1)
  const file = await openCheckpoint(dir)
  const frames = [0, size] as const
  await file.save({
    ...file.current,
    batch: { segment: 1, frames, pieces: [frames], attempt: 1 },
  })
  await file.close()
  return `${file.current.id}:1:0-${size}:1`
}

async function asideOf(dir: string) {
  const lines = (await readFile(join(dir, 'aside', 'refused.jsonl'), 'utf8')).split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line))
}

/** The frames of the first segment, as places in it. */
async function framesOf(dir: string) {
  const bytes = await readFile(segmentPath(dir, 1))
  const frames: { start: number; end: number }[] = []
  for (let frame = readFrame(bytes, 0); typeof frame === 'object'; ) {
    frames.push(frame)
    frame = readFrame(bytes, frame.end)
  }
  return { bytes, frames }
}

describe('the writer', () => {
  test('stores what is in the log once, and removes the segments that are done with', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const [one = [], two = [], three = []] = [0, 1, 2].map((n) =>
      pathsTo(9).slice(3 * n, 3 * n + 3),
    )
    const dir = await folderWith(projectId, one, two, three)
    expect(await ship(dir, warehouse)).toEqual({
      rows: 9,
      deadLetters: { rows: 0, damaged: 0 },
      isRetrying: false,
    })
    expect(await paths()).toEqual(pathsTo(9))
    expect(await listSegments(dir)).toEqual([2])
    await ship(dir, warehouse)
    expect(await paths()).toEqual(pathsTo(9))
  })

  test('stores what is appended while it runs, without a signal', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await makeFolder()
    const log = await open(dir, { segmentBytes: 500 })
    const writer = startWriter({ dir, warehouse, log: listen().log })
    for (const path of pathsTo(50)) await log.append(Buffer.from(rowOf(projectId, path)), 1)
    await expect.poll(() => log.backlog(), { timeout: 30_000 }).toMatchObject({ bytes: 0 })
    await writer.close()
    expect(await paths()).toEqual(pathsTo(50))
  })

  test('is the only one on its folder', async () => {
    const { warehouse } = useWarehouse()
    const dir = await makeFolder()
    const { log } = listen()
    const writer = startWriter({ dir, warehouse, log })
    expect(() => startWriter({ dir, warehouse, log })).toThrow('another process has it')
    await writer.close()
    await startWriter({ dir, warehouse, log }).close()
  })

  if (isSoak) {
    test('stores a batch of many months once, however often it is sent', async () => {
      const { warehouse, projectId, paths } = useWarehouse()
      const dir = await makeFolder()
      const log = await open(dir)
      const months = pathsTo(14).map((path, index) => {
        const month = new Date(Date.UTC(2025, index, 15)).toISOString()
        return rowOf(projectId, path, { timestamp: month })
      })
      await log.append(Buffer.from(months.join('')), months.length)
      await noteBatch(dir)
      const before = join(dir, 'before')
      await cp(join(dir, 'checkpoint'), before)
      for (let time = 0; time < 3; time++) {
        await cp(before, join(dir, 'checkpoint'))
        await ship(dir, warehouse)
        expect(await paths()).toEqual(pathsTo(14))
      }
    })
  }
})

describe('a batch that may have been sent', () => {
  const insertUnder = (warehouse: Warehouse, token: string, rows: string[]) =>
    insert(warehouse, { table: 'crawler_hits', rows: rows.map((row) => JSON.parse(row)), token })

  const stored = async (warehouse: Warehouse, projectId: string) => {
    const sql = `SELECT count() AS n FROM crawler_hits WHERE project_id = {projectId:UUID}`
    const row = (raw: Record<string, unknown>) => Number(raw.n)
    return run(warehouse, { id: 'test.count', sql, params: { projectId }, row })
  }

  test('and is stored is not stored again', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await folderWith(projectId, pathsTo(5))
    const rows = pathsTo(5).map((path) => rowOf(projectId, path))
    await insertUnder(warehouse, await noteBatch(dir), rows)
    await ship(dir, warehouse)
    expect(await paths()).toEqual(pathsTo(5))
  })

  test('and whose rows the warehouse lost, though it knows the token, is stored', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await folderWith(projectId, pathsTo(5))
    const token = await noteBatch(dir)
    const rows = pathsTo(5).map((path) => rowOf(projectId, path))
    await insertUnder(warehouse, token, rows.slice(0, 2))
    await insertUnder(warehouse, token, rows)
    expect(await stored(warehouse, projectId), 'the token alone does not bring them').toEqual([2])
    await ship(dir, warehouse)
    expect(await paths()).toEqual(pathsTo(5))
  })

  if (isSoak) {
    test('and is stored twice, since the warehouse forgot the token, is stored once in the end', async () => {
      const { warehouse, projectId, paths } = useWarehouse()
      const dir = await folderWith(projectId, pathsTo(5))
      const token = await noteBatch(dir)
      const rows = pathsTo(5).map((path) => rowOf(projectId, path))
      await insertUnder(warehouse, token, rows)
      const [batch] = await run(warehouse, {
        id: 'test.batch',
        sql: 'SELECT toString(cityHash64({token:String})) AS batch',
        params: { token },
        row: (raw) => raw.batch,
      })
      await warehouse.send({
        queryId: 'test.again',
        sql: 'INSERT INTO crawler_hits (project_id, timestamp, source, path, batch) FORMAT JSONEachRow',
        rows: rows.map((row) => JSON.stringify({ ...JSON.parse(row), batch })).join('\n'),
        settings: { insert_allow_materialized_columns: 1 },
        timeoutMs: 60_000,
      })
      expect(await stored(warehouse, projectId)).toEqual([10])
      await ship(dir, warehouse)
      expect(await paths()).toEqual(pathsTo(5))
    })
  }

  test('and whose unacknowledged end a power cut took is stored as far as it was acknowledged', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await folderWith(projectId, ['/1'], ['/2'], ['/3'])
    await noteBatch(dir)
    const { frames } = await framesOf(dir)
    await truncate(segmentPath(dir, 1), (frames[1]?.end ?? 0) + 20)
    await ship(dir, warehouse)
    expect(await paths()).toEqual(['/1', '/2'])
  })
})

describe('what no warehouse takes', () => {
  test('becomes a dead letter, one row of 1,000, with its reason, and the 999 others are stored', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await makeFolder()
    const told = listen()
    const log = await open(dir)
    const lines = pathsTo(1000).map((path) => rowOf(projectId, path))
    const poisoned = rowOf(projectId, '/poisoned', { timestamp: 'no time at all' })
    lines.splice(617, 0, poisoned)
    // In several frames, so that the places of rows are not those of one text.
    for (let n = 0; n < 1001; n += 100)
      await log.append(Buffer.from(lines.slice(n, n + 100).join('')), 100)
    const { deadLetters, rows } = await ship(dir, warehouse, told.log)
    expect({ deadLetters, rows }).toEqual({ deadLetters: { rows: 1, damaged: 0 }, rows: 1000 })
    expect(await paths()).toEqual(pathsTo(1000))
    const [entry, ...others] = await asideOf(dir)
    expect(others).toEqual([])
    expect(entry).toMatchObject({ segment: 1, row: poisoned.trim() })
    expect(entry.reason).toMatch(/^Code: 41\. DB::Exception: Cannot read DateTime/)
    expect(Date.parse(entry.time)).toBeGreaterThan(Date.now() - 60_000)
    const { bytes } = await framesOf(dir)
    const { offset } = entry
    expect(bytes.toString('utf8', offset, offset + poisoned.length)).toBe(poisoned)
    expect(messages(told, 'warn')).toEqual([
      'A row that the warehouse refuses becomes a dead letter.',
    ])
    await expect.poll(() => log.backlog()).toMatchObject({ bytes: 0, deadLetters: { rows: 1 } })
  })

  test.each([
    ['no JSON', 'nonsense\n'],
    ['half a row', '{"path":"/x\n'],
    ['a row without its end', '{"path":"/x"\n'],
    ['a column that is not there', '{"path":"/x","colour":"red"}\n'],
    ['no UUID', '{"project_id":"acme"}\n'],
    ['a negative count', '{"bot_id":-1}\n'],
    ['text for a map', '{"headers":"none"}\n'],
    ['a field twice', '{"path":"/x","path":"/y"}\n'],
  ])('%s becomes a dead letter, and its neighbours do not', async (_, line) => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await makeFolder()
    const log = await open(dir)
    await log.append(Buffer.from(rowOf(projectId, '/1') + line + rowOf(projectId, '/2')), 3)
    expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 1 }, rows: 2 })
    expect(await paths()).toEqual(['/1', '/2'])
    expect(await asideOf(dir)).toMatchObject([{ row: line.trim() }])
  })

  test('becomes no second dead letter of a writer that was killed right after the first', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await makeFolder()
    const log = await open(dir)
    await log.append(Buffer.from('nonsense\n'), 1)
    await noteBatch(dir)
    await log.append(Buffer.from(rowOf(projectId, '/1')), 1)
    const before = join(dir, 'before')
    await cp(join(dir, 'checkpoint'), before)
    const aside = join(dir, 'aside', 'refused.jsonl')
    for (let time = 0; time < 3; time++) {
      expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 1 } })
      expect(await paths()).toEqual(['/1'])
      const [entry, ...others] = await asideOf(dir)
      expect(entry).toMatchObject({ row: 'nonsense' })
      expect(others).toEqual([])
      await cp(before, join(dir, 'checkpoint'))
      // The second time it is killed within the line.
      if (time === 1) await truncate(aside, 30)
    }
  })

  test('an empty line is no row, and ends none', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await makeFolder()
    const log = await open(dir)
    await log.append(Buffer.from(`\n${rowOf(projectId, '/1')}\n\n${rowOf(projectId, '/2')}\n`), 2)
    expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 0 } })
    expect(await paths()).toEqual(['/1', '/2'])
  })
})

describe('a log that is damaged', () => {
  const damages: [string, (bytes: Buffer, start: number, end: number) => void][] = [
    [
      'a bit of a payload',
      (bytes, start) => bytes.writeUInt8((bytes[start + 30] ?? 0) ^ 1, start + 30),
    ],
    ['a length that is too large', (bytes, start) => bytes.writeUInt32LE(2 ** 31, start)],
    ['a length that reaches behind the end', (bytes, start) => bytes.writeUInt32LE(2 ** 20, start)],
    ['a length that ends too early', (bytes, start) => bytes.writeUInt32LE(17, start)],
    ['zeros all over', (bytes, start, end) => bytes.fill(0, start, end - 1)],
  ]
  test.each(damages)('by %s loses no other frame, and keeps the bytes', async (_, damage) => {
    const { warehouse, projectId, paths } = useWarehouse()
    const dir = await folderWith(projectId, ['/1'], ['/2', '/3'], ['/4'])
    const { bytes, frames } = await framesOf(dir)
    const { start, end } = frames[1] ?? { start: 0, end: 0 }
    damage(bytes, start, end)
    await writeFile(segmentPath(dir, 1), bytes)
    expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 0, damaged: 1 } })
    expect(await paths()).toEqual(['/1', '/4'])
    const kept = bytes.subarray(start, end).toString('base64')
    expect(await asideOf(dir)).toMatchObject([{ segment: 1, offset: start, base64: kept }])
  })

  test.each([1, 7, 8, 9, 40])(
    'by an end of %i bytes that was never whole loses nothing',
    async (n) => {
      const { warehouse, projectId, paths } = useWarehouse()
      const dir = await folderWith(projectId, ['/1'], ['/2'], ['/3'])
      const { frames } = await framesOf(dir)
      await truncate(segmentPath(dir, 1), (frames[1]?.end ?? 0) + n)
      expect(await ship(dir, warehouse)).toMatchObject({ deadLetters: { rows: 0, damaged: 0 } })
      expect(await paths()).toEqual(['/1', '/2'])
      expect((await readCheckpoint(dir))?.shipped.segment).toBe(2)
    },
  )
})
