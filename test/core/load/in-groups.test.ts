import { expect, test } from 'vitest'
import { inGroups } from '../../../core/load/in-groups.ts'

/** Groups of a gatherer whose work ends by hand. */
function groups() {
  const begun: { items: readonly number[]; end: PromiseWithResolvers<readonly number[]> }[] = []
  const call = inGroups((items: readonly number[]) => {
    const end = Promise.withResolvers<readonly number[]>()
    begun.push({ items, end })
    return end.promise
  })
  return { begun, call }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('calls that come while a group is under way are the next group, in their order', async () => {
  const { begun, call } = groups()
  const first = call(1)
  await turn()
  const later = [call(2), call(3), call(2)]
  await turn()
  expect(begun.map(({ items }) => items)).toEqual([[1]])
  begun[0]?.end.resolve([10])
  expect(await first).toBe(10)
  await turn()
  expect(begun.map(({ items }) => items)).toEqual([[1], [2, 3, 2]])
  begun[1]?.end.resolve([20, 30, 21])
  expect(await Promise.all(later)).toEqual([20, 30, 21])
})

test('the error of a group is that of its calls, and the next group begins', async () => {
  const { begun, call } = groups()
  const first = call(1)
  await turn()
  const second = call(2)
  begun[0]?.end.reject(new Error('no disk'))
  await expect(first).rejects.toThrow('no disk')
  await turn()
  begun[1]?.end.resolve([20])
  expect(await second).toBe(20)
})
