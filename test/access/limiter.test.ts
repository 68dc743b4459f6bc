import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryLimiter } from '../../plugins/limiter.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const full = { isOver: false, msBeforeReset: 60_000 }

test('a bucket empties by what is taken, and refuses the rest of its window', () => {
  const take = memoryLimiter(3)
  expect(take('a', 1)).toEqual({ ...full, remaining: 2 })
  vi.advanceTimersByTime(20_000)
  expect(take('a', 2)).toEqual({ isOver: false, remaining: 0, msBeforeReset: 40_000 })
  expect(take('a', 1)).toEqual({ isOver: true, remaining: 0, msBeforeReset: 40_000 })
  expect(take('b', 1)).toEqual({ ...full, remaining: 2 })
})

test('a window begins with its first request and ends after a minute', () => {
  const take = memoryLimiter(1)
  vi.advanceTimersByTime(12_345)
  take('a', 1)
  vi.advanceTimersByTime(59_999)
  expect(take('a', 1)).toEqual({ isOver: true, remaining: 0, msBeforeReset: 1 })
  vi.advanceTimersByTime(1)
  expect(take('a', 1)).toEqual({ ...full, remaining: 0 })
})

test('a clock that is set back keeps nobody out', () => {
  const take = memoryLimiter(1)
  take('a', 1)
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(60_000)
  expect(take('a', 1)).toEqual({ ...full, remaining: 0 })
})

test('no window is longer than a minute, at whatever part of a millisecond it begins', () => {
  const take = memoryLimiter(1)
  const clock = vi.spyOn(performance, 'now')
  try {
    for (let i = 0; i < 1000; i++) {
      clock.mockReturnValue(40_000 + i * 0.123457)
      expect(take(`key:${i}`, 1)).toEqual({ ...full, remaining: 0 })
    }
  } finally {
    clock.mockRestore()
  }
})

test('what is given back may be taken again', () => {
  const take = memoryLimiter(10)
  take('a', 4)
  expect(take('a', 9)).toMatchObject({ isOver: true, remaining: 0 })
  expect(take('a', -9)).toMatchObject({ isOver: false, remaining: 6 })
  expect(take('a', 6)).toMatchObject({ isOver: false, remaining: 0 })
})

test('the buckets of many addresses take no memory without end, and a key in use keeps its count', () => {
  const take = memoryLimiter(10)
  take('key', 1)
  for (let i = 0; i < 120_000; i++) {
    take(`address:${i}`, 1)
    if (i % 10_000 === 0) take('key', 0)
  }
  expect(take('key', 1)).toMatchObject({ remaining: 8 })
  // The first of the addresses has made room.
  expect(take('address:0', 0)).toMatchObject({ remaining: 10 })
  expect(take('address:119999', 0)).toMatchObject({ remaining: 9 })
})
