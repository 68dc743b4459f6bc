import { describe, expect, inject, test } from 'vitest'
import { createWarehouse, type Warehouse } from '../../warehouse/client.ts'
import { createReaders } from '../../warehouse/readers.ts'
import { run } from '../../warehouse/run.ts'

/** Statements of many readers at once, in the real warehouse. */

/** A warehouse that knows the most statements that it ran at a time. */
function counted() {
  const warehouse = createWarehouse({ url: inject('clickhouseUrl') })
  let [underway, most] = [0, 0]
  const send: Warehouse['send'] = async (request) => {
    most = Math.max(most, ++underway)
    try {
      return await warehouse.send(request)
    } finally {
      underway--
    }
  }
  return { warehouse: { ...warehouse, send }, most: () => most }
}

const slow = { id: 'test.slow', sql: 'SELECT sleep(0.3) AS slept' }
const times = (count: number, work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, work))

describe('the statements of', () => {
  test('one key run a few at a time', async () => {
    const { warehouse, most } = counted()
    const one = createReaders(warehouse, 3)({ keyId: 'a', workspaceId: 'A' })
    await times(9, () => run(one, slow))
    expect(most()).toBe(3)
  })

  test('one workspace run at most eight at a time, by whatever keys', async () => {
    const { warehouse, most } = counted()
    const readers = createReaders(warehouse, 100)
    const keys = ['a', 'b', 'c', 'd'].map((keyId) => readers({ keyId, workspaceId: 'A' }))
    await Promise.all(keys.map((key) => times(6, () => run(key, slow))))
    expect(most()).toBe(8)
  })

  test('another workspace do not wait for those of the first', async () => {
    const { warehouse } = counted()
    const readers = createReaders(warehouse, 4)
    const order: string[] = []
    const first = times(24, async () => {
      await run(readers({ keyId: 'a', workspaceId: 'A' }), slow)
      order.push('first')
    })
    await run(readers({ keyId: 'b', workspaceId: 'B' }), {
      id: 'test.light',
      sql: 'SELECT 1 AS one',
    })
    order.push('other')
    await first
    // Four of the first may end meanwhile on a busy machine, and never all 24.
    expect(order.indexOf('other')).toBeLessThan(12)
  })

  test('one request wait for each other, however many they are', async () => {
    const { warehouse } = counted()
    const one = createReaders(warehouse, 1, { turnWaitMs: 200 })({ keyId: 'a', workspaceId: 'A' })
    // The last one waits for 0.9 seconds.
    expect(await times(4, () => run(one, slow))).toHaveLength(4)
  })

  test('one request wait until it has taken a minute at most', async () => {
    const { warehouse } = counted()
    const readers = createReaders(warehouse, 1, { requestWaitMs: 100 })
    const one = readers({ keyId: 'a', workspaceId: 'A' })
    const held = run(one, { id: 'test.held', sql: 'SELECT sleep(1) AS slept' })
    await expect(run(one, slow)).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
    await held
  })

  test('a key whose turn does not come are refused in the words of the catalog', async () => {
    const { warehouse } = counted()
    const readers = createReaders(warehouse, 1, { turnWaitMs: 100 })
    const request = () => readers({ keyId: 'a', workspaceId: 'A' })
    const held = run(request(), { id: 'test.held', sql: 'SELECT sleep(1) AS slept' })
    await expect(run(request(), slow)).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      headers: { 'Retry-After': '2' },
    })
    await held
    const after = { id: 'test.after', sql: 'SELECT 1 AS one' }
    await expect(run(request(), after)).resolves.toHaveLength(1)
  })
})
