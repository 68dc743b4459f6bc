/** The next item, or the end when the signal fires first: a reader of standard input may wait for ever. */
export function nextOrStop<Item>(
  iterator: AsyncIterator<Item>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Item, unknown>> {
  const step = iterator.next()
  if (!signal) return step
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ done: true, value: undefined })
    signal.addEventListener('abort', stop, { once: true })
    step.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
