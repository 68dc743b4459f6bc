import { afterEach } from 'vitest'
import { checkedFetch, takeFallen } from './checked-fetch.ts'

/** A setup file: no test has to ask for checked answers, and none gets around them. */

globalThis.fetch = checkedFetch

// The error is thrown where the answer was asked for; a test that swallows it fails here.
afterEach(() => {
  const told = takeFallen()
  if (told.length > 0) throw new Error(told.join('\n'))
})
