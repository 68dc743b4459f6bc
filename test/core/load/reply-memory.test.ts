import { expect, test } from 'vitest'
import { replyMemory } from '../../../core/load/under-load.ts'

/** Whether the promise has resolved by now. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  const nothing = Symbol('nothing')
  return (await Promise.race([work, Promise.resolve(nothing)])) !== nothing
}

test('a reply waits for the memory of others, and gets it when they are sent', async () => {
  const open = replyMemory(100)
  const [first, second] = [open(), open()]
  await first.hold(80)
  const waits = second.hold(30)
  expect(await isDone(waits)).toBe(false)
  first.end()
  await waits
})

test('a reply that waits too long is 429 rate_limited, and holds nothing', async () => {
  const open = replyMemory(100, 20)
  const [first, second, third] = [open(), open(), open()]
  await first.hold(80)
  await expect(second.hold(30)).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
  await third.hold(20)
})

test('the oldest holder never waits, so that no two replies wait for each other', async () => {
  const open = replyMemory(100)
  const [first, second] = [open(), open()]
  await first.hold(50)
  await second.hold(50)
  const later = second.hold(10)
  await first.hold(50)
  expect(await isDone(later)).toBe(false)
  first.end()
  await later
})

test('the first hold is told, once', async () => {
  let told = 0
  const reply = replyMemory(100)(() => told++)
  expect(told).toBe(0)
  await reply.hold(1)
  await reply.hold(1)
  expect(told).toBe(1)
})
