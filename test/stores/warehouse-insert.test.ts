import { randomUUID } from 'node:crypto'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { insertText } from '../../warehouse/chdb/insert.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { EncodedRows } from '../../warehouse/insert-statement.ts'
import { insertEncoded, RefusedRows, run, type Warehouse } from '../../warehouse/run.ts'
import { pathsTo, rowOf, useWarehouse } from '../kit/tracker/folder.ts'

const send = (warehouse: Warehouse, lines: string, token: string = randomUUID()) =>
  insertText(warehouse, {
    table: 'crawler_hits',
    lines: Buffer.from(lines),
    token,
    timeoutMs: 60_000,
  })

/** Rows of the 15th of ever other months. */
const inMonths = (projectId: string, paths: readonly string[]) =>
  paths.map((path, index) => {
    const timestamp = new Date(Date.UTC(2025, index % 14, 15)).toISOString()
    return rowOf(projectId, path, { timestamp })
  })

describe('an insert of text', () => {
  test('stores its rows, says how many, and does nothing the second time', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const rows = inMonths(projectId, pathsTo(28))
    const token = randomUUID()
    expect(await send(warehouse, rows.join(''), token)).toBe(28)
    await send(warehouse, rows.join(''), token)
    expect(await paths()).toEqual(pathsTo(28))
  })

  test('with one row at fault in its middle stores none, and says why', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const rows = inMonths(projectId, pathsTo(1000))
    rows.splice(500, 0, rowOf('no UUID', '/x'))
    const sent = send(warehouse, rows.join(''))
    await expect(sent).rejects.toBeInstanceOf(RefusedRows)
    await expect(sent).rejects.toThrow('Cannot parse UUID')
    expect(await paths()).toEqual([])
  })

  test('is not refused for what its rows only say', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const spoken = 'Code: 27. DB::Exception: "\'; DROP TABLE crawler_hits; -- \n\n (SYNTAX_ERROR)'
    await send(warehouse, rowOf(projectId, spoken))
    expect(await paths()).toEqual([spoken])
  })

  test('into no table, or without an engine, is no fault of its rows', async () => {
    const { warehouse, projectId } = useWarehouse()
    const lines = Buffer.from(rowOf(projectId, '/x'))
    const rows = { lines, token: randomUUID(), timeoutMs: 60_000 }
    const noTable = insertText(warehouse, { ...rows, table: 'no_such_table' })
    await expect(noTable).rejects.not.toBeInstanceOf(RefusedRows)
    await expect(noTable).rejects.toThrow('UNKNOWN_TABLE')
    const away = createWarehouse({ url: 'http://127.0.0.1:9' })
    onTestFinished(() => away.close())
    const noEngine = insertText(away, { ...rows, table: 'crawler_hits' })
    await expect(noEngine).rejects.toMatchObject({ code: 'internal_error', status: 502 })
  })

  test('marks its rows with its token', async () => {
    const { warehouse, projectId } = useWarehouse()
    const token = randomUUID()
    await send(warehouse, rowOf(projectId, '/x'), token)
    const marks = await run(warehouse, {
      id: 'test.marks',
      sql: `SELECT batch = cityHash64({token:String}) AS mine FROM crawler_hits
        WHERE project_id = {projectId:UUID}`,
      params: { token, projectId },
      row: ({ mine }) => mine,
    })
    expect(marks).toEqual([1])
  })
})

describe('an empty line', () => {
  /** By HTTP, as any client may. */
  function post(format: string, rows: string) {
    const url = new URL(inject('clickhouseUrl'))
    const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`
    url.username = url.password = ''
    url.searchParams.set('query', `INSERT INTO crawler_hits (project_id, path) FORMAT ${format}`)
    return fetch(url, { method: 'POST', headers: { authorization }, body: rows })
  }

  test('among rows of JSON ends none of them, wherever it stands', async () => {
    const { projectId, paths } = useWarehouse()
    const [one, two, three] = pathsTo(3).map((path) => `["${projectId}","${path}"]\n`)
    const response = await post('JSONCompactEachRow', `\n\n${one}\n${two}\n\n\n${three}\n\n`)
    expect(response.status).toBe(200)
    expect(await paths()).toEqual(pathsTo(3))
  })

  test('in rows of another form is refused, since what follows would be a statement', async () => {
    const { projectId, paths } = useWarehouse()
    const response = await post('CSV', `${projectId},/1\n\nDROP TABLE crawler_hits`)
    expect(response.headers.get('x-clickhouse-exception-code')).toBe('48')
    expect(await paths()).toEqual([])
  })
})

describe('an insert of encoded rows', () => {
  /** The columns that name the project, and the others. */
  const splitRow = (projectId: string, path: string) => {
    const { project_id, ...own } = JSON.parse(rowOf(projectId, path)) as Record<string, unknown>
    return [{ project_id }, own] as const
  }

  test('writes what a group shares with each of its rows, and once', async () => {
    const { warehouse, projectId, paths } = useWarehouse()
    const rows = new EncodedRows()
    // More than one part of the body.
    for (const path of pathsTo(120)) {
      const [shared, own] = splitRow(projectId, path)
      rows.add(shared, [own, { ...own, path: `${path}/"näher"\n` }])
    }
    rows.add({ project_id: projectId }, [])
    expect(rows.count).toBe(240)
    const token = randomUUID()
    for (let n = 0; n < 2; n++) {
      await insertEncoded(warehouse, { table: 'crawler_hits', rows, token })
    }
    const quoted = pathsTo(120).map((path) => `${path}/"näher"\n`)
    expect((await paths()).toSorted()).toEqual([...pathsTo(120), ...quoted].toSorted())
  })

  test('refuses columns that the first rows lack, and undefined values', () => {
    const [shared, own] = splitRow(randomUUID(), '/x')
    const rows = new EncodedRows()
    rows.add(shared, [own])
    for (const [group, row] of [
      [{ project: '' }, own],
      [shared, { ...own, more: 1 }],
      [shared, { ...own, path: undefined }],
    ] as const) {
      expect(() => rows.add(group, [row])).toThrow('other columns than the first')
    }
    expect(rows.count).toBe(1)
  })
})
