import { afterEach, expect, test, vi } from 'vitest'
import { BodyBudget } from '../../ingest/endpoint/body.ts'
import { FairShare } from '../../ingest/fair-share.ts'

afterEach(() => vi.useRealTimers())

/** Takes one at a time until it is refused. @returns how many it took */
function takeAll(share: FairShare, owner: string, most = 100): number {
  for (let taken = 0; taken < most; taken++) {
    if (!share.mayTake(owner, 1)) return taken
    share.take(owner, 1)
  }
  return most
}

test('alone, a workspace may take all', () => {
  const share = new FairShare(10)
  expect(takeAll(share, 'one', 10)).toBe(10)
})

test('while others want some, a workspace takes at most half, however many they are', () => {
  const share = new FairShare(10)
  expect(takeAll(share, 'one', 3)).toBe(3)
  expect(share.mayTake('two', 1)).toBe(true)
  expect(takeAll(share, 'one')).toBe(2)
  expect(share.mayTake('three', 1)).toBe(true)
  expect(takeAll(share, 'two')).toBe(5)
  share.give('one', 2)
  expect(takeAll(share, 'one')).toBe(2)
})

test('a workspace that holds more than half takes no more until it holds less', () => {
  const share = new FairShare(10)
  takeAll(share, 'one', 8)
  share.mayTake('two', 1)
  expect(takeAll(share, 'one')).toBe(0)
  share.give('one', 4)
  expect(takeAll(share, 'one')).toBe(1)
})

test('who has not asked for a minute wants none', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const share = new FairShare(10)
  share.mayTake('two', 1)
  expect(takeAll(share, 'one')).toBe(5)
  vi.advanceTimersByTime(60_000)
  expect(takeAll(share, 'one', 5)).toBe(5)
})

test('the memory of bodies is shared so, within its limit', () => {
  const budget = new BodyBudget(1000)
  expect(budget.reserve('one', 600)).toBe(true)
  expect(budget.reserve('two', 300)).toBe(true)
  expect(budget.reserve('one', 1)).toBe(false)
  expect(budget.reserve('three', 101)).toBe(false)
  budget.free('one', 200)
  expect(budget.reserve('one', 101)).toBe(false)
  expect(budget.reserve('one', 100)).toBe(true)
  expect(budget.heldBytes).toBe(800)
})
