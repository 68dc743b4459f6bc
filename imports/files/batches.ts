import type { Line } from './lines.ts'

export interface NumberedLine {
  readonly line: Line
  /** From 1. */
  readonly number: number
}

const batchLines = 2000
const batchCharacters = 16 * 1024 * 1024

export type Lines = AsyncIterable<Line> | Iterable<Line>
type Step<Item> = IteratorResult<Item, unknown>

/** The next item, or the end when the signal fires first: a reader of standard input may wait for ever. */
export function nextOf<Item>(
  iterator: AsyncIterator<Item> | Iterator<Item>,
  signal: AbortSignal | undefined,
): Step<Item> | Promise<Step<Item>> {
  const step = iterator.next()
  if (!signal || !(step instanceof Promise)) return step
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ done: true, value: undefined })
    signal.addEventListener('abort', stop, { once: true })
    step.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/**
 * Lines in batches that bound the memory: by their number, and by their length.
 * @param signal ends the reading; what was read until then is the last batch
 */
export async function* batchesOf(
  lines: Lines,
  signal?: AbortSignal,
): AsyncGenerator<NumberedLine[], void> {
  const iterator =
    Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]()
  let batch: NumberedLine[] = []
  let characters = 0
  try {
    for (let number = 1; !signal?.aborted; number++) {
      const { done, value } = await nextOf(iterator, signal)
      if (done) break
      batch.push({ line: value, number })
      characters += typeof value === 'string' ? value.length : 0
      if (batch.length < batchLines && characters < batchCharacters) continue
      yield batch
      batch = []
      characters = 0
    }
    if (batch.length > 0) yield batch
  } finally {
    // Not awaited: after a stop the source may still be waiting for its next line.
    Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}
