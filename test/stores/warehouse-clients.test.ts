import { randomUUID } from 'node:crypto'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, expect, inject, test } from 'vitest'

/** ClickHouse's own client is an outside judge of the HTTP interface: it knows nothing of our server. */
const clients = [true, false].map((form) =>
  createClient({
    url: inject('clickhouseUrl'),
    log: { level: ClickHouseLogLevel.OFF },
    use_multipart_params: form,
    compression: { request: form, response: false },
  }),
)
afterAll(() => Promise.all(clients.map((client) => client.close())))

const table = `t_${randomUUID().replaceAll('-', '')}`
const each = clients.map((client, n): [string, ClickHouseClient] => [n ? 'URL' : 'form', client])

test.each(each)(
  "ClickHouse's own client reads what it wrote, by parameters in a %s",
  async (_, client) => {
    const query = `CREATE TABLE IF NOT EXISTS ${table} (id UInt32, name String) ENGINE = MergeTree ORDER BY id`
    await client.command({ query })
    const values = [
      { id: 1, name: "it's \\ \t {name:String} 😀" },
      { id: 2, name: '\n' },
    ]
    await client.insert({ table, values, format: 'JSONEachRow' })
    const rows = await client.query({
      query: `SELECT DISTINCT id, name FROM ${table} WHERE name IN {names:Array(String)} AND id < {under:UInt8} ORDER BY id`,
      query_params: { names: values.map(({ name }) => name), under: 3 },
      format: 'JSONEachRow',
    })
    expect(await rows.json()).toEqual(values)
    const summary = JSON.parse(String(rows.response_headers['x-clickhouse-summary']))
    expect(Number(summary.elapsed_ns)).toBeGreaterThan(0)
  },
)

test.each(each)(
  "ClickHouse's own client knows our errors, with parameters in a %s",
  async (_, client) => {
    const asked = (query: string, query_params = {}) => client.query({ query, query_params })
    await expect(asked('SELECT * FROM nowhere')).rejects.toMatchObject({
      code: '60',
      type: 'UNKNOWN_TABLE',
    })
    await expect(asked('SELECT {id:UInt8}', { id: 300 })).rejects.toMatchObject({ code: '457' })
    expect(await client.ping({ select: true })).toEqual({ success: true })
  },
)
