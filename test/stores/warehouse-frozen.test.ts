import { afterAll, expect, inject, test } from 'vitest'
import { createWarehouse } from '../../warehouse/client.ts'
import { run } from '../../warehouse/run.ts'

const warehouse = createWarehouse({ url: inject('clickhouseUrl') })
afterAll(() => warehouse.close())

/** The engine makes a new value for each query: the same value twice means that no second query ran. */
const ask = (load: number, frozen?: true) =>
  run(warehouse, {
    id: 'test.frozen',
    sql: 'SELECT toString(generateUUIDv4()) AS made, {load:UInt32} AS load',
    params: { load },
    row: (raw) => raw,
    ...(frozen ? { frozen } : {}),
  })

test('a frozen statement is cached by its values, any other asks the engine each time', async () => {
  const first = await ask(1, true)
  expect(await ask(1, true)).toEqual(first)
  expect(await ask(2, true)).not.toEqual(first)
  expect(await ask(1)).not.toEqual(first)
  expect(await ask(1)).not.toEqual(await ask(1))
  expect(await ask(1, true)).toEqual(first)
})

test('a frozen statement that many ask for at once runs once', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(3, true)))
  expect(all).toEqual(all.map(() => all[0]))
  const [one, other] = await Promise.all([ask(3), ask(3)])
  expect(one).not.toEqual(other)
})

test('a reading that fails serves its own caller alone', async () => {
  const gone = new AbortController()
  const frozen = { id: 'test.frozen', frozen: true, sql: 'SELECT sleep(0.2) AS slept' } as const
  const left = run(warehouse, { ...frozen, signal: gone.signal })
  const stayed = run(warehouse, frozen)
  gone.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(await stayed).toEqual([{ slept: 0 }])
})
