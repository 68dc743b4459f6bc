import { flushCompileCache } from 'node:module'
import { afterAll } from 'vitest'

/**
 * A setup file. What a process of tests has compiled is written once its first file has run, with all of the product. Vitest writes it when
 * the process ends, which took up to a minute: thousands of files, while the services of the next project start.
 */
const written = Symbol.for('sightline.compile-cache-written')

afterAll(() => {
  if (Reflect.has(globalThis, written)) return
  Reflect.set(globalThis, written, true)
  flushCompileCache()
})
