import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type Line, linesOf, maxLineBytes } from '../../imports/files/lines.ts'

async function all(lines: AsyncIterable<Line>): Promise<Line[]> {
  const read: Line[] = []
  for await (const line of lines) read.push(line)
  return read
}

async function read(...chunks: (string | Buffer)[]): Promise<Line[]> {
  const bytes = chunks.map((chunk) => Buffer.from(chunk))
  return all(linesOf(Readable.from(bytes)))
}

describe('lines of a stream', () => {
  test('end at a line feed, wherever a chunk ends', async () => {
    expect(await read('a\nb', 'c\n', '\n', 'd')).toEqual(['a', 'bc', '', 'd'])
    expect(await read('a\n')).toEqual(['a'])
    expect(await read()).toEqual([])
  })

  test('hold a character that two chunks share', async () => {
    const euro = Buffer.from('1 €\n')
    expect(await read(euro.subarray(0, 3), euro.subarray(3))).toEqual(['1 €'])
  })

  test('that are not UTF-8 are told, and the others are read', async () => {
    const lines = await read('a\n', Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'b')
    expect(lines).toEqual(['a', { unreadable: 'is not valid UTF-8' }, 'b'])
  })

  test('that are longer than 4 MiB are told, and not held', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const bytes = () => {
      // The second collection waits until what the first one found is freed.
      collectGarbage()
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const mebibyte = Buffer.alloc(1024 * 1024, 'x')
    const before = bytes()
    let held = 0
    async function* chunks() {
      yield Buffer.from('a\n')
      for (let i = 0; i < 64; i++) yield Buffer.from(mebibyte)
      held = bytes() - before
      yield Buffer.from('\nb\n')
    }
    const lines = await all(linesOf(chunks()))
    expect(lines).toEqual(['a', { unreadable: 'is longer than 4 MiB' }, 'b'])
    expect(held / 1024 / 1024).toBeLessThan(8)
  })

  test('may be 4 MiB long', async () => {
    const [line] = await read(Buffer.alloc(maxLineBytes, 'x'), '\n')
    expect(line).toHaveLength(maxLineBytes)
  })
})
