import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Overloaded } from '../../ingest/log/backpressure.ts'
import { listSegments, readFrame, segmentPath } from '../../ingest/log/segments.ts'
import { openCheckpoint, readCheckpoint } from '../../ingest/writer/checkpoint.ts'
import { until } from '../kit/service.ts'
import {
  listen,
  makeFolder,
  messages,
  open,
  pathsTo,
  rowOf,
  rowsInLog,
  writtenBytes,
} from '../kit/tracker/folder.ts'

const projectId = randomUUID()
const row = (path: string) => rowOf(projectId, path)

/** Notes that all before a place of the log is in the warehouse, as the writer does. */
async function noteShipped(dir: string, segment: number, offset: number): Promise<void> {
  const file = await openCheckpoint(dir)
  await file.save({ ...file.current, shipped: { segment, offset } })
  await file.close()
}

describe('append', () => {
  test('resolves when the rows are in a segment, whole and in their order', async () => {
    const dir = await makeFolder()
    const log = await open(dir)
    await log.append(Buffer.from(row('/a')), 1)
    await log.append(Buffer.from(row('/b') + row('/ü\u2028😀')), 2)
    expect(await rowsInLog(dir)).toEqual(['/a', '/b', '/ü\u2028😀'].map((path) => row(path).trim()))
    expect(log.backlog()).toMatchObject({ segments: 1 })
    expect(log.backlog().bytes).toBe(await writtenBytes(dir, 1))
  })

  test('of many at once is one write, and of those that come meanwhile the next', async () => {
    const dir = await makeFolder()
    const told = listen()
    const log = await open(dir, { log: told.log })
    const first = pathsTo(100).map((path) => log.append(Buffer.from(row(path)), 1))
    // The second of these turns brings nothing more, and the write begins.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    const second = pathsTo(100).map((path) => log.append(Buffer.from(row(path)), 1))
    await Promise.all([...first, ...second])
    const writes = told.lines.filter(({ message }) => message === 'events on disk')
    expect(writes.map(({ fields }) => fields)).toMatchObject([{ events: 100 }, { events: 100 }])
    expect(await rowsInLog(dir)).toHaveLength(200)
  })

  test('waits no longer than a moment for others, however many each turn brings', async () => {
    const log = await open(await makeFolder())
    let isWritten = false
    const appends: Promise<void>[] = []
    while (!isWritten) {
      const turn = new Promise((resolve) => setImmediate(resolve))
      appends.push(log.append(Buffer.from(row('/a')), 1))
      appends[0]?.then(() => (isWritten = true))
      await turn
    }
    await Promise.all(appends)
    expect(appends.length).toBeGreaterThan(1)
  })

  test('of more than a buffer holds keeps every byte', async () => {
    const dir = await makeFolder()
    const log = await open(dir)
    const large = ['x', 'ü', '😀'].map((letter) => row(`/${letter.repeat(3_000_000)}`))
    await Promise.all(large.map((lines) => log.append(Buffer.from(lines), 1)))
    expect(await rowsInLog(dir)).toEqual(large.map((lines) => lines.trim()))
  })

  test('of nothing writes nothing', async () => {
    const dir = await makeFolder()
    const log = await open(dir)
    await log.append(Buffer.from(''), 0)
    expect((await stat(segmentPath(dir, 1))).size).toBe(0)
  })

  test('is refused once the log is closed, and what came before is on disk', async () => {
    const dir = await makeFolder()
    const log = await open(dir)
    const before = log.append(Buffer.from(row('/before')), 1)
    const closed = log.close()
    await expect(log.append(Buffer.from(row('/after')), 1)).rejects.toBeInstanceOf(Overloaded)
    await Promise.all([before, closed])
    expect(await rowsInLog(dir)).toEqual([row('/before').trim()])
  })
})

describe('segments', () => {
  test('one that is large enough gets a successor', async () => {
    const dir = await makeFolder()
    const log = await open(dir, { segmentBytes: 1000 })
    for (const path of pathsTo(30)) await log.append(Buffer.from(row(path)), 1)
    expect((await listSegments(dir)).length).toBeGreaterThan(2)
    expect(await rowsInLog(dir)).toEqual(pathsTo(30).map((path) => row(path).trim()))
  })

  test('each start opens a new one, and touches no old one', async () => {
    const dir = await makeFolder()
    for (const path of ['/1', '/2', '/3']) {
      const log = await open(dir)
      await log.append(Buffer.from(row(path)), 1)
      await log.close()
    }
    expect(await listSegments(dir)).toEqual([1, 2, 3])
    expect(await rowsInLog(dir)).toEqual(['/1', '/2', '/3'].map((path) => row(path).trim()))
  })

  test('a number that the writer knows never comes again, also when its file is gone', async () => {
    const dir = await makeFolder()
    await noteShipped(dir, 41, 1000)
    await open(dir)
    expect(await listSegments(dir)).toEqual([42])
  })

  test('a frame is whole, or says that it is not', async () => {
    const dir = await makeFolder()
    const log = await open(dir)
    await log.append(Buffer.from(row('/a')), 1)
    await log.close()
    const bytes = await readFile(segmentPath(dir, 1))
    expect(readFrame(bytes, 0)).toEqual({ start: 0, end: bytes.length })
    for (let end = 0; end < bytes.length; end++) {
      expect(readFrame(bytes.subarray(0, end), 0)).toBe('incomplete')
    }
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x10
      expect(readFrame(damaged, 0), `byte ${at}`).toBeTypeOf('string')
    }
  })
})

describe('the backlog', () => {
  test('over its mark refuses, says so once, and takes events again when enough is shipped', async () => {
    const dir = await makeFolder()
    const told = listen()
    const log = await open(dir, { log: told.log, maxBacklogBytes: 2000 })
    let taken = 0
    const refusals: unknown[] = []
    for (const path of pathsTo(40)) {
      await log.append(Buffer.from(row(path)), 1).then(
        () => taken++,
        (error) => refusals.push(error),
      )
    }
    expect(log.isOverloaded).toBe(true)
    expect(taken).toBe((await rowsInLog(dir)).length)
    expect(refusals).toHaveLength(40 - taken)
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(Overloaded)
      expect(refusal).toMatchObject({ retryAfterSeconds: 10 })
    }
    expect(log.backlog().bytes).toBeLessThanOrEqual(2000)

    await noteShipped(dir, 1, log.backlog().bytes)
    await until(() => !log.isOverloaded)
    expect(log.backlog()).toMatchObject({ bytes: 0, segments: 1 })
    await log.append(Buffer.from(row('/again')), 1)
    expect(messages(told, 'error')).toEqual([
      'The event log is full: the backlog for the warehouse is too long. Events are refused.',
    ])
    expect(messages(told, 'info')).toEqual(['The event log accepts events again.'])
  })

  test('is shared: while others send, no workspace holds more than half', async () => {
    const dir = await makeFolder()
    const size = Buffer.byteLength(row('/a'))
    const log = await open(dir, { maxBacklogBytes: 10 * size + 500 })
    const append = (workspace: string) =>
      log.append(Buffer.from(row('/a')), 1, { workspaceId: workspace, projectId })
    for (let i = 0; i < 8; i++) await append('one')
    await append('other')
    expect([log.isOverloadedFor('one'), log.isOverloadedFor('other')]).toEqual([true, false])
    await expect(append('one')).rejects.toMatchObject({
      message: 'The workspace holds half of the backlog.',
      retryAfterSeconds: 10,
    })
    await append('other')
    expect(await rowsInLog(dir)).toHaveLength(10)

    await noteShipped(dir, 1, log.backlog().bytes)
    await until(() => !log.isOverloadedFor('one'))
    await append('one')
    expect(await rowsInLog(dir)).toHaveLength(11)
  })

  test('is whole for a workspace that sends alone, however often others ask about the log', async () => {
    const size = Buffer.byteLength(row('/a'))
    const log = await open(await makeFolder(), { maxBacklogBytes: 10 * size + 500 })
    for (let i = 0; i < 8; i++) {
      expect(log.isOverloaded).toBe(false)
      await log.append(Buffer.from(row('/a')), 1, { workspaceId: 'one', projectId })
    }
    expect(log.isOverloadedFor('one')).toBe(false)
  })

  test('counts what earlier trackers left, and not what is shipped', async () => {
    const dir = await makeFolder()
    for (const path of ['/1', '/2']) {
      const log = await open(dir)
      await log.append(Buffer.from(row(path)), 1)
      await log.close()
    }
    const log = await open(dir)
    const { size } = await stat(segmentPath(dir, 1))
    expect(log.backlog()).toMatchObject({ bytes: 2 * size, segments: 3 })
    await noteShipped(dir, 2, 10)
    await until(() => log.backlog().segments === 2)
    expect(log.backlog()).toMatchObject({ bytes: size - 10 })
  })
})

describe('the folder', () => {
  test('has one log at a time', async () => {
    const dir = await makeFolder()
    const log = await open(dir)
    await expect(open(dir)).rejects.toThrow('another process has it')
    await log.close()
    await open(dir)
  })

  test('whose disk has less left than others need takes no events', async () => {
    const dir = await makeFolder()
    const told = listen()
    const log = await open(dir, { log: told.log, minFreeBytes: Number.MAX_SAFE_INTEGER })
    await expect(log.append(Buffer.from(row('/a')), 1)).rejects.toBeInstanceOf(Overloaded)
    expect(log.isOverloaded).toBe(true)
    expect(messages(told, 'error')).toEqual([
      'The disk of the event log is nearly full. Events are refused.',
    ])
  })
})

describe('the checkpoint', () => {
  test('is what was saved last, also when the last write was torn', async () => {
    const dir = await makeFolder()
    expect(await readCheckpoint(dir)).toBeUndefined()
    for (const offset of [1, 2, 3]) await noteShipped(dir, 7, offset)
    const path = join(dir, 'checkpoint')
    const bytes = await readFile(path)
    expect((await readCheckpoint(dir))?.shipped).toEqual({ segment: 7, offset: 3 })
    for (const slot of [0, 4096]) {
      const torn = Buffer.from(bytes).fill(0, slot + 20, slot + 4096)
      await writeFile(path, torn)
      // The third save went to the second slot.
      const offset = slot === 4096 ? 2 : 3
      expect((await readCheckpoint(dir))?.shipped).toEqual({ segment: 7, offset })
    }
  })

  test('that is damaged throughout is no reason to begin anew', async () => {
    const dir = await makeFolder()
    await noteShipped(dir, 7, 1)
    await writeFile(join(dir, 'checkpoint'), Buffer.alloc(8192))
    await expect(openCheckpoint(dir)).rejects.toThrow('is damaged')
    // The tracker goes on: what it takes is not lost by that.
    const log = await open(dir)
    await log.append(Buffer.from(row('/a')), 1)
  })

  test('keeps its size, so that a full disk does not stop it', async () => {
    const dir = await makeFolder()
    for (let offset = 0; offset < 5; offset++) await noteShipped(dir, 7, offset)
    expect((await stat(join(dir, 'checkpoint'))).size).toBe(8192)
  })
})
