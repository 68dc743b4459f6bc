import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Log } from '../../../core/log.ts'
import { lengthWithoutZeros } from '../../../ingest/log/blank.ts'
import type { EventLog } from '../../../ingest/log/event-log.ts'
import { type LogOptions, openLog } from '../../../ingest/log/log.ts'
import { listSegments, readFrame, segmentPath } from '../../../ingest/log/segments.ts'
import { readCheckpoint } from '../../../ingest/writer/checkpoint.ts'
import { startWriter } from '../../../ingest/writer/writer.ts'
import { createWarehouse } from '../../../warehouse/client.ts'
import { run, type Warehouse } from '../../../warehouse/run.ts'
import { until } from '../service.ts'

/** The messages of a log, by level. */
export interface Told {
  readonly log: Log
  readonly lines: { level: keyof Log; message: string; fields: object }[]
}

export function listen(): Told {
  const lines: Told['lines'] = []
  const tell = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ level, message, fields })
  }
  const log = { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') }
  return { log, lines }
}

/** The messages of a level. */
export function messages({ lines }: Told, ...levels: (keyof Log)[]): string[] {
  return lines.flatMap(({ level, message }) => (levels.includes(level) ? [message] : []))
}

/** A tracker's folder, for the test that asks for it. */
export async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sightline-tracker-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Opens a log, which is closed after the test unless the test closes it. */
export async function open(dir: string, options: Partial<LogOptions> = {}): Promise<EventLog> {
  const log = await openLog({ dir, log: listen().log, minFreeBytes: 0, ...options })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= log.close())
  onTestFinished(close)
  return Object.create(log, { close: { value: close } })
}

/** A row of `crawler_hits`, with its line feed. */
export function rowOf(projectId: string, path: string, more: object = {}): string {
  const day = '2026-03-01 10:00:00.000'
  return `${JSON.stringify({ project_id: projectId, timestamp: day, source: 'tracker', path, ...more })}\n`
}

/** All rows of all frames of all segments, in order. */
export async function rowsInLog(dir: string): Promise<string[]> {
  const rows: string[] = []
  for (const sequence of await listSegments(dir)) {
    const bytes = await readFile(segmentPath(dir, sequence))
    for (let frame = readFrame(bytes, 0); typeof frame === 'object'; ) {
      rows.push(
        ...bytes
          .toString('utf8', frame.start + 8, frame.end)
          .split('\n')
          .slice(0, -1),
      )
      frame = readFrame(bytes, frame.end)
    }
  }
  return rows
}

/** Whether all that is in the log is in the warehouse, or aside. */
export async function isShipped(dir: string): Promise<boolean> {
  const checkpoint = await readCheckpoint(dir)
  const last = (await listSegments(dir)).at(-1)
  if (checkpoint === undefined || last === undefined || checkpoint.batch !== null) return false
  const { segment, offset } = checkpoint.shipped
  return segment === last && offset === (await writtenBytes(dir, last))
}

/** The length of a segment without the zeros at its end. */
export async function writtenBytes(dir: string, segment: number): Promise<number> {
  return lengthWithoutZeros(await readFile(segmentPath(dir, segment)))
}

/** Runs a writer until all is shipped, and until it has removed the segments that are done with. */
export async function ship(dir: string, warehouse: Warehouse, log = listen().log) {
  const writer = startWriter({ dir, warehouse, log })
  try {
    await until(async () => (await isShipped(dir)) && (await listSegments(dir)).length === 1)
    return writer.stats()
  } finally {
    await writer.close()
  }
}

/** The run's warehouse, and a project of the test's own in it. */
export function useWarehouse() {
  const url = inject('clickhouseUrl')
  const warehouse = createWarehouse({ url })
  onTestFinished(() => warehouse.close())
  const projectId: string = randomUUID()
  const paths = (id = projectId) => storedPaths(warehouse, id)
  return { url, warehouse, projectId, paths }
}

/** The paths of a project's stored hits, in order; one that is stored twice is there twice. */
export function storedPaths(warehouse: Warehouse, projectId: string): Promise<string[]> {
  return run(warehouse, {
    id: 'test.paths',
    sql: 'SELECT path FROM crawler_hits WHERE project_id = {projectId:UUID} ORDER BY path',
    params: { projectId },
    timeoutMs: 60_000,
    row: ({ path }) => String(path),
  })
}

/** `/0001`, `/0002` … */
export function pathsTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/${String(index + 1).padStart(4, '0')}`)
}
