import { expect, test } from 'vitest'
import { cachedResults } from '../../../core/load/cached-results.ts'

test('equal texts are worked out once, also to a result that is null', () => {
  const asked: string[] = []
  const lengthOf = cachedResults((text: string) => {
    asked.push(text)
    return text === '' ? null : text.length
  })
  expect(['ab', '', 'ab', '', 'abc'].map((text) => lengthOf(text))).toEqual([2, null, 2, null, 3])
  expect(asked).toEqual(['ab', '', 'abc'])
})

test('the same letters in other texts are other texts', () => {
  const joined = cachedResults((one: string, other: string) => `${one}|${other}`)
  expect([joined('ab', 'c'), joined('a', 'bc'), joined('', 'abc')]).toEqual([
    'ab|c',
    'a|bc',
    '|abc',
  ])
})

test('a long text is worked out each time, and kept nowhere', () => {
  let times = 0
  const first = cachedResults((text: string) => `${text[0]}${++times}`)
  const long = 'x'.repeat(501)
  expect([first(long), first(long), first('y'), first('y')]).toEqual(['x1', 'x2', 'y3', 'y3'])
})

test('a result that is asked for stays, and the others go', () => {
  const asked: string[] = []
  const known = cachedResults((text: string) => {
    asked.push(text)
    return text
  })
  for (let number = 0; number < 25_000; number++) {
    known(`${number}`)
    known('often')
  }
  expect(asked.filter((text) => text === 'often')).toHaveLength(1)
  expect(asked).toHaveLength(25_001)
  known('24999')
  known('1')
  expect(asked.slice(25_001)).toEqual(['1'])
})
