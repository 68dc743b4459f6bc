import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '../../core/errors.ts'
import { createWarehouse } from '../../warehouse/client.ts'
import { command, insert, type Raw, run } from '../../warehouse/run.ts'
import { isSoak, sized } from '../kit/soak.ts'
import { startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'

let store: TestWarehouse
beforeAll(async () => {
  store = await startTestWarehouse()
})
afterAll(() => store.stop())

const ask = (sql: string, params: Record<string, unknown> = {}) =>
  run(store.warehouse, { id: 'test.ask', sql, params, row: (raw) => raw })
const tell = (sql: string) => command(store.warehouse, { id: 'test.tell', sql })
const count = async (table: string) => (await ask(`SELECT count() AS n FROM ${table}`))[0]?.n
const running = () =>
  ask("SELECT query_id FROM system.processes WHERE query LIKE '%numbers(' || '1e12)%'")

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  )

async function makeTable(columns = 'a UInt32, s String'): Promise<string> {
  const table = `t_${randomUUID().replaceAll('-', '')}`
  await tell(`CREATE TABLE ${table} (${columns}) ENGINE = MergeTree ORDER BY tuple()
    SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1`)
  return table
}

/** A request without the client, for what the client would not send. */
function post(query: Record<string, string>, init: RequestInit = {}): Promise<Response> {
  const url = new URL(store.url)
  const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`
  Object.assign(url, { username: '', password: '', search: String(new URLSearchParams(query)) })
  return fetch(url, { method: 'POST', ...init, headers: { authorization, ...init.headers } })
}

describe('parameters', () => {
  const uuid = '61f0c404-5cb3-11e7-907b-a6006ad3dba0'
  test.each([
    ['String', 'it\'s \\ "{a:String}" `--/*\0\t\r\n😀', undefined],
    ['String', '', undefined],
    ['String', '\\N', undefined],
    ['UUID', uuid, undefined],
    ['Int8', -128, undefined],
    ['UInt64', '18446744073709551615', 'toString(v)'],
    ['Int256', '-9'.padEnd(70, '9'), 'toString(v)'],
    ['Float64', -1.5e-7, undefined],
    ['Float64', Number.POSITIVE_INFINITY, "if(v = inf, 'yes', 'no')"],
    ['Float64', Number.NaN, "if(isNaN(v), 'yes', 'no')"],
    ['Bool', true, undefined],
    ['Date', '2024-02-29', undefined],
    ['DateTime', '2024-02-29 23:59:59', undefined],
    ["DateTime64(3, 'UTC')", '2024-02-29 23:59:59.123', undefined],
    ['Nullable(String)', null, undefined],
    ['Nullable(UInt8)', 7, undefined],
    ['Array(String)', ["it's", '\\', '', "',\n'", 'NULL', '{', '😀'], undefined],
    ['Array(UUID)', [uuid], undefined],
    ['Array(UInt32)', [], undefined],
    ['Array(Int64)', [-1, 1], undefined],
    ['Array(Bool)', [true, false], undefined],
    ['Array(Nullable(String))', [null, 'NULL'], undefined],
    ['Array(Array(UInt8))', [[1, 2], []], undefined],
  ])('of %s come back as they were sent: %j', async (type, value, shown) => {
    const [row] = await ask(
      `WITH {v:${type}} AS v SELECT toTypeName(v) AS type, ${shown ?? 'v'} AS shown`,
      { v: value },
    )
    expect(row?.type).toBe(type)
    expect(row?.shown).toEqual(shown?.startsWith('if') ? 'yes' : value)
  })

  test('that are dates of JavaScript keep their milliseconds', async () => {
    const [row] = await ask("SELECT {t:DateTime64(3, 'UTC')} AS t, {s:DateTime('UTC')} AS s", {
      t: new Date('2026-01-02T03:04:05.678Z'),
      s: new Date('2026-01-02T03:04:05Z'),
    })
    expect(row).toEqual({ t: '2026-01-02 03:04:05.678', s: '2026-01-02 03:04:05' })
  })

  test('of any text come back as they were, and change nothing beside them', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'\'\\"`{}:-/*#$;,[]()N\n\r\t\0a', '\uFEFF', '😀') }),
    )
    const property = fc.asyncProperty(text, fc.array(text, { maxLength: 5 }), async (one, many) => {
      const rows = await ask('SELECT {one:String} AS one, {many:Array(String)} AS many, 42 AS n', {
        one,
        many,
      })
      expect(rows).toEqual([{ one, many, n: 42 }])
    })
    await fc.assert(property, { numRuns: sized({ normal: 40, soak: 400 }) })
  })

  test('that do not fit their type are error 457, and nothing runs', async () => {
    const table = await makeTable()
    const error = await failure(
      command(store.warehouse, {
        id: 'test.bad',
        sql: `INSERT INTO ${table} SELECT {a:UInt8}, 'x'`,
        params: { a: '1 + 1' },
      }),
    )
    expect(error).toMatchObject({ cause: { code: '457' } })
    expect(await count(table)).toBe(0)
  })

  test('may stand in LIMIT, INTERVAL and IN, some thousand at once', async () => {
    const ids = Array.from({ length: 5000 }, () => randomUUID())
    const rows = await ask(
      `SELECT number AS n, toDate('2026-01-05') - INTERVAL {days:UInt16} DAY AS day FROM numbers(10)
       WHERE toUUID({first:UUID}) IN {ids:Array(UUID)} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { ids, first: ids[0], days: 3, limit: 2, offset: 1 },
    )
    expect(rows).toEqual([
      { n: 1, day: '2026-01-02' },
      { n: 2, day: '2026-01-02' },
    ])
  })

  test('use the order key of a table', async () => {
    const table = `t_${randomUUID().replaceAll('-', '')}`
    await tell(`CREATE TABLE ${table} (p UUID) ENGINE = MergeTree ORDER BY p
      SETTINGS index_granularity = 1, add_minmax_index_for_numeric_columns = 0`)
    await tell(`INSERT INTO ${table} SELECT generateUUIDv4() FROM numbers(100)`)
    const [row] = await ask(`EXPLAIN ESTIMATE SELECT * FROM ${table} WHERE p = {p:UUID}`, {
      p: uuid,
    })
    expect(Number(row?.rows ?? 0)).toBeLessThan(5)
  })
})

describe('settings', () => {
  test('of one query do not reach the next, in whatever session it runs', async () => {
    const read = (sql: string) => post({ max_threads: '1', max_block_size: '77' }, { body: sql })
    const own = "SELECT getSetting('max_block_size') AS size FORMAT JSONEachRow"
    for (const sql of [
      own,
      `${own} SETTINGS max_insert_threads = 1`,
      `SELECT getSetting('max_block_size') AS size SETTINGS max_insert_threads = 1 FORMAT JSONEachRow`,
    ]) {
      expect(await (await read(sql)).json()).toEqual({ size: 77 })
    }
    await read('CREATE TABLE IF NOT EXISTS settings_table (a UInt8) ENGINE = Memory')
    await tell('SET max_block_size = 78')
    await tell('USE system')
    const after = Array.from({ length: 40 }, () =>
      ask("SELECT getSetting('max_block_size') AS size, currentDatabase() AS db"),
    )
    for (const rows of await Promise.all(after))
      expect(rows).toEqual([{ size: 65409, db: 'default' }])
  })

  test('are values, never SQL', async () => {
    const reply = await post(
      { log_comment: "x' , max_block_size = '77" },
      {
        body: "SELECT getSetting('max_block_size') AS size, getSetting('log_comment') AS text FORMAT JSONEachRow",
      },
    )
    expect(await reply.json()).toEqual({ size: 65409, text: "x' , max_block_size = '77" })
  })

  test.each([['Max_threads'], ['max_threads=1,a'], ['nonsense_setting']])(
    'that are not known are error 115: %s',
    async (name) => {
      const reply = await post({ [name]: '1' }, { body: 'SELECT 1' })
      expect([reply.status, reply.headers.get('x-clickhouse-exception-code')]).toEqual([404, '115'])
    },
  )
})

describe('the HTTP interface', () => {
  test('answers a ping without a key, and names its keep-alive time', async () => {
    const reply = await fetch(new URL('/ping', store.url.replace('default:test@', '')))
    expect([await reply.text(), reply.headers.get('keep-alive')]).toEqual(['Ok.\n', 'timeout=30'])
  })

  test.each([
    [{ authorization: `Basic ${btoa('default:wrong')}` }],
    [{ authorization: `Basic ${btoa('admin:test')}` }],
    [{ authorization: 'Basic %' }],
    [{ authorization: '', 'x-clickhouse-user': 'default', 'x-clickhouse-key': 'tes' }],
  ])('refuses a wrong password: %j', async (headers) => {
    const reply = await post({ query: 'SELECT 1' }, { headers })
    expect([reply.status, reply.headers.get('x-clickhouse-exception-code')]).toEqual([403, '516'])
    expect(await reply.text()).toMatch(/^Code: 516\. DB::Exception: .*\(AUTHENTICATION_FAILED\)\n$/)
  })

  test('takes the password in a header, and reads by GET', async () => {
    const headers = {
      authorization: '',
      'x-clickhouse-user': 'default',
      'x-clickhouse-key': 'test',
    }
    const reply = await post({ query: 'SELECT 1, 2' }, { method: 'GET', headers })
    expect(await reply.text()).toBe('1\t2\n')
    const write = await post({ query: 'DROP TABLE IF EXISTS x' }, { method: 'GET', headers })
    expect(write.headers.get('x-clickhouse-exception-code')).toBe('164')
  })

  test('gives back the query id, and an error as ClickHouse words it', async () => {
    const reply = await post({ query_id: 'some:id' }, { body: 'SELECT * FROM nowhere' })
    expect([reply.status, reply.headers.get('x-clickhouse-query-id')]).toEqual([404, 'some:id'])
    expect(reply.headers.get('x-clickhouse-exception-code')).toBe('60')
    expect(await reply.text()).toMatch(/^Code: 60\. DB::Exception: .*nowhere.*\(UNKNOWN_TABLE\)/)
  })

  test('takes the database of the URL', async () => {
    const other = createWarehouse({ url: `${store.url}/system` })
    const rows = await run(other, {
      id: 'test.database',
      sql: 'SELECT currentDatabase() AS db',
      row: (raw) => raw.db,
    })
    await other.close()
    expect(rows).toEqual(['system'])
  })

  test('takes rows in the URL request, in the statement, and compressed', async () => {
    const table = await makeTable()
    const query = `INSERT INTO ${table} FORMAT JSONEachRow`
    const rows = '{"a":1,"s":"x"}\n{"a":2,"s":"y"}\n'
    await post({ query }, { body: rows })
    await post({}, { body: `${query} ${rows}{"a":5,"s":""}` })
    const gzip = { body: gzipSync(rows), headers: { 'content-encoding': 'gzip' } }
    await post({ query, insert_deduplication_token: 'z' }, gzip)
    await post({ query: `INSERT INTO ${table} (s, a) FORMAT TabSeparated` }, { body: 'z\t3\n' })
    await post({ query: `INSERT INTO ${table} VALUES` }, { body: "(4, '{a:b}')" })
    expect(await ask(`SELECT a, count() AS n FROM ${table} GROUP BY a ORDER BY a`)).toEqual([
      { a: 1, n: 3 },
      { a: 2, n: 3 },
      { a: 3, n: 1 },
      { a: 4, n: 1 },
      { a: 5, n: 1 },
    ])
  })

  test('outlives a client that goes away in the middle of its request', async () => {
    const { hostname, port } = new URL(store.url)
    const head = `POST /?query=SELECT HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nAuthorization: Basic ${btoa('default:test')}\r\n\r\n`
    for (const sent of ['POST', head, `${head}1`, '\0'.repeat(100)]) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      await new Promise<void>((resolve) => socket.end(sent, () => resolve()))
      socket.destroy()
    }
    expect(await ask('SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  if (isSoak) {
    test('refuses a body over 256 MB', async () => {
      // Members of a gzip file may follow one another: 17 times 16 MB.
      const member = gzipSync(Buffer.alloc(16 * 2 ** 20, ' '))
      const body = Buffer.concat(Array.from({ length: 17 }, () => member))
      const reply = await post(
        { query: 'INSERT INTO t FORMAT JSONEachRow' },
        {
          body,
          headers: { 'content-encoding': 'gzip' },
        },
      )
      expect([reply.status, reply.headers.get('x-clickhouse-exception-code')]).toEqual([413, '307'])
    })
  }
})

describe('a query', () => {
  test('over its time budget is 504, and stops', async () => {
    const sql = 'SELECT sum(number * number) AS n FROM numbers(1e12)'
    const error = await failure(
      run(store.warehouse, { id: 'test.slow', sql, timeoutMs: 200, row: (raw) => raw }),
    )
    expect(error).toBeInstanceOf(Fault)
    expect(error).toMatchObject({ code: 'query_timeout', status: 504, extras: { timeout: true } })
    expect(await running()).toEqual([])
  })

  test('over its memory or with too large a result is 400, and leaves the others theirs', async () => {
    const patient = { id: 'test.large', timeoutMs: 120_000 }
    const groups = 'SELECT length(groupArray(toString(number))) AS n FROM numbers(100000000)'
    const rows = 'SELECT repeat(toString(number % 10), 1000000) AS n FROM numbers(100)'
    for (const sql of sized({ normal: [rows], soak: [groups, rows] })) {
      const error = await failure(run(store.warehouse, { ...patient, sql }))
      expect(error).toMatchObject({ code: 'query_too_large', status: 400 })
      expect(await ask('SELECT 1 AS n')).toEqual([{ n: 1 }])
    }
  })

  test('has all its threads, however little memory is left', async () => {
    const plan = await ask(
      'EXPLAIN PIPELINE SELECT count() FROM numbers_mt(100000000) GROUP BY number % 10 SETTINGS max_threads = 2',
    )
    expect(JSON.stringify(plan)).toContain('× 2')
  })

  test('that failed holds nothing in the engine', async () => {
    const sql = "SELECT throwIf(number = 10, 'numbers(1e12)') AS n FROM numbers(11)"
    await Promise.all(Array.from({ length: 5 }, () => failure(ask(sql))))
    expect(await running()).toEqual([])
  })

  test('whose client leaves stops long before its time', async () => {
    const leaving = new AbortController()
    const sql = 'SELECT sum(number * number) AS n FROM numbers(1e12)'
    const { signal } = leaving
    const left = failure(
      run(store.warehouse, { id: 'test.left', sql, signal, timeoutMs: 60_000, row: (raw) => raw }),
    )
    await expect.poll(running, { timeout: 5000 }).toHaveLength(1)
    leaving.abort(new Error('gone'))
    expect(await left).toMatchObject({ message: 'gone' })
    await expect.poll(running, { timeout: 5000 }).toEqual([])
  })

  if (isSoak) {
    test('runs beside fifteen slow ones', async () => {
      const leaving = new AbortController()
      const { signal } = leaving
      // Two minutes in blocks of a row: no processor time, and no end before the test's.
      const sql =
        'SELECT sleepEachRow(1) AS n FROM numbers(120) SETTINGS max_block_size = 1 /* numbers(1e12) */'
      const slow = Array.from({ length: 15 }, () =>
        failure(
          run(store.warehouse, {
            id: 'test.slow',
            sql,
            signal,
            timeoutMs: 120_000,
            row: (raw) => raw,
          }),
        ),
      )
      await expect.poll(running).toHaveLength(15)
      expect(await ask('SELECT 1 AS n')).toEqual([{ n: 1 }])
      expect(await running()).toHaveLength(15)
      leaving.abort(new Error('gone'))
      for (const outcome of await Promise.all(slow))
        expect(outcome).toMatchObject({ message: 'gone' })
      await expect.poll(running).toEqual([])
    })
  }

  test('of which fifty come at once is answered each with its own', async () => {
    const all = Array.from({ length: 50 }, (_, n) => ask('SELECT {n:UInt8} AS n', { n }))
    expect((await Promise.all(all)).flat()).toEqual(Array.from({ length: 50 }, (_, n) => ({ n })))
  })

  test('that fails names its id', async () => {
    const error = await failure(ask('SELECT nothing'))
    expect(String(error)).toMatch(/^Error: Query test\.ask:[\w-]{8} failed: .*nothing/)
  })

  test('to an engine that is away is 502 and can be repeated', async () => {
    const away = createWarehouse({ url: 'http://default:x@127.0.0.1:1' })
    const error = await failure(run(away, { id: 'test.away', sql: 'SELECT 1', row: (raw) => raw }))
    expect(error).toMatchObject({ code: 'internal_error', status: 502, retryable: true })
    await expect(away.ping()).rejects.toThrow('ECONNREFUSED')
    await away.close()
  })
})

describe('an insert', () => {
  const rows = (n: number): Raw[] => Array.from({ length: n }, (_, a) => ({ a, s: `row ${a}` }))

  test('of 50,000 rows is one block, and a second time with its token nothing', async () => {
    const table = await makeTable()
    for (const token of ['one', 'one', 'two']) {
      await insert(store.warehouse, { table, rows: rows(50_000), token })
    }
    expect(await count(table)).toBe(100_000)
    expect(
      await ask(
        `SELECT uniqExact(name) AS n FROM system.parts WHERE table = '${table}' AND level = 0`,
      ),
    ).toEqual([{ n: 2 }])
  })

  test('is also a no-op for the materialized views that follow the table', async () => {
    const table = await makeTable()
    await tell(`CREATE MATERIALIZED VIEW mv_${table} ENGINE = MergeTree ORDER BY a
      SETTINGS non_replicated_deduplication_window = 1000 AS SELECT a FROM ${table}`)
    for (let n = 0; n < 2; n += 1) {
      await insert(store.warehouse, { table, rows: rows(10), token: 'one' })
    }
    expect([await count(table), await count(`mv_${table}`)]).toEqual([10, 10])
  })

  test('with an unknown column or an unfitting value is an error, and leaves nothing', async () => {
    const table = await makeTable()
    for (const bad of [{ a: 1, b: 2 }, { a: 'x' }, { a: 1.5 }]) {
      await failure(insert(store.warehouse, { table, rows: [...rows(3), bad], token: 'bad' }))
    }
    expect(await count(table)).toBe(0)
  })
})
