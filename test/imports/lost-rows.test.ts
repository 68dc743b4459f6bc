import { once } from 'node:events'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, inject, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { insert, run } from '../../warehouse/run.ts'
import { makeProject, useStores, visibleCounts } from '../kit/imports/imports.ts'

const stores = useStores()
const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const lines = Array.from({ length: 20 }, (_, at) =>
  JSON.stringify({
    prompt: 'best speakers?',
    platform: 'chatgpt',
    run: at,
    collectedAt: '2025-05-10T12:00:00Z',
    text: `Acme ${at}`,
    citations: [{ position: 1, url: `https://example.com/${at}` }],
  }),
)

/** A row of somebody else's in the same month. */
async function foreignRow(table: string): Promise<Record<string, unknown>> {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines: lines.slice(0, 1) })
  const [row] = await run(stores.warehouse, {
    id: 'test.row',
    sql: `SELECT * FROM ${table} WHERE project_id = {projectId:UUID}`,
    params: { projectId },
    row: (raw) => raw,
  })
  if (!row) throw new Error('no row to borrow')
  return { ...row, project_id: crypto.randomUUID() }
}

/**
 * A warehouse that dies just after it recorded the token of the first insert into `table`. The connection
 * breaks, and a retry is skipped although no row is stored.
 */
async function losing(table: string) {
  const target = new URL(inject('clickhouseUrl'))
  const row = await foreignRow(table)
  let lost = 0
  const server: Server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', target)
    const token = searchParams.get('insert_deduplication_token')
    if (lost === 0 && token?.includes(`:${table}:`)) {
      lost++
      await insert(stores.warehouse, { table, rows: [row], token })
      request.socket.destroy()
      return
    }
    const { method, headers } = request
    const onward = forward(
      { host: target.hostname, port: target.port, path: request.url, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  const warehouse = createWarehouse({ url: url.href })
  closing.push(
    () => warehouse.close(),
    () => server.close(),
  )
  return { stores: { ...stores, warehouse }, lost: () => lost }
}

test.each(['answers', 'citations', 'mentions'])(
  'rows of %s that the warehouse took for stored as it died are sent again',
  async (table) => {
    const projectId = await makeProject(stores)
    const faulty = await losing(table)
    const result = await importAnswers(faulty.stores, { projectId, lines })
    expect(faulty.lost()).toBe(1)
    expect(result).toMatchObject({ read: 20, loaded: 20, skipped: 0 })
    expect(await visibleCounts(stores, projectId)).toMatchObject({
      answers: 20,
      citations: 20,
      mentions: 20,
    })
  },
)

test('an analysis gets back what the warehouse lost', async () => {
  const projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines })
  const faulty = await losing('mentions')
  const counted = await reanalyze(faulty.stores, { projectId })
  expect(counted).toMatchObject({ answers: 20, mentions: 20 })
  expect(faulty.lost()).toBe(1)
  const stored = await run(stores.warehouse, {
    id: 'test.mentions',
    sql: `SELECT analysis, count() AS mentions FROM mentions WHERE project_id = {projectId:UUID}
      GROUP BY analysis ORDER BY analysis`,
    params: { projectId },
    row: (raw) => [Number(raw.analysis), Number(raw.mentions)],
  })
  expect(stored.at(-1)).toEqual([counted.analysis, 20])
})
