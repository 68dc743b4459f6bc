import { expect, test } from 'vitest'
import { loopTurns, RequestWork } from '../../../core/load/work.ts'

/** What one request makes in memory, and the turns in which it does. */

const mb = 1024 ** 2
const workOf = (most: number, log: string[] = []) =>
  new RequestWork({
    most,
    hold: async (bytes) => void log.push(`hold ${bytes}`),
    turn: async () => void log.push('turn'),
  })

test('a small request waits for nothing', () => {
  const work = workOf(100 * mb)
  for (let i = 0; i < 4; i++) expect(work.take(mb / 4)).toBeUndefined()
  expect(work.isLarge).toBe(false)
})

test('a large one goes on in turns, and holds memory for each', async () => {
  const log: string[] = []
  const work = workOf(100 * mb, log)
  expect(work.take(mb)).toBeUndefined()
  const waits = [1, 2, 3].map((n) => work.take(mb)?.then(() => log.push(String(n))))
  await Promise.all(waits)
  expect(log.filter((entry) => /\d$/.test(entry) && !entry.startsWith('hold'))).toEqual([
    '1',
    '2',
    '3',
  ])
  expect(log.filter((entry) => entry === 'turn')).toHaveLength(3)
  expect(log.filter((entry) => entry === `hold ${mb / 5}`)).toHaveLength(3)
  expect(work.isLarge).toBe(true)
})

test('one that makes too much ends with a fault, and what is left of it never goes on', async () => {
  const work = workOf(5 * mb)
  void work.take(2 * mb)
  const waiting = work.take(2 * mb)
  const late = work.take(2 * mb)
  await expect(work.over).rejects.toMatchObject({ code: 'query_too_large', status: 400 })
  const first = Promise.race([waiting, late, work.take(1), Promise.resolve('nothing')])
  expect(await first).toBe('nothing')
})

test('one for which there is no memory ends as a whole', async () => {
  const work = new RequestWork({
    most: 100 * mb,
    hold: () => Promise.reject(new Error('no memory')),
    turn: async () => {},
  })
  void work.take(3 * mb)
  void work.take(1)
  await expect(work.over).rejects.toThrow('no memory')
})

test('turns come one in each turn of the event loop, and of the keys that wait each in its turn', async () => {
  const turn = loopTurns()
  const log: string[] = []
  const loop = setInterval(() => log.push('-'), 0)
  await Promise.all(
    ['a', 'a', 'a', 'b'].map(async (key) => {
      await turn(key)
      log.push(key)
    }),
  )
  clearInterval(loop)
  expect(log.filter((entry) => entry !== '-')).toEqual(['a', 'a', 'b', 'a'])
})
