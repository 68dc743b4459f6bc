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

test('a frozen statement is remembered by its values, any other asks the engine each time', async () => {
  const first = await ask(1, true)
  expect(await ask(1, true)).toEqual(first)
  expect(await ask(2, true)).not.toEqual(first)
  expect(await ask(1)).not.toEqual(first)
  expect(await ask(1)).not.toEqual(await ask(1))
  expect(await ask(1, true)).toEqual(first)
})
