import { afterEach } from 'vitest'

/**
 * Checks every REST answer that a test fetches against the OpenAPI document: its status, its headers, each key
 * of its body. It is a setup file: no test has to ask for it, and none
 * gets around it.
 */

const ownFetch = Symbol.for('sightline.test.fetch')

const shared = globalThis as { [ownFetch]?: typeof fetch }

// Files that share a process each run this one: all keep the same `fetch` below.
shared[ownFetch] ??= globalThis.fetch

/** For answers of others than the service. */
export const plainFetch = shared[ownFetch]
const isRest = /^\/api\/(mcp|v1)(\/|$)/

/** Answers that fell through and that no test has spoken of. */
let fallen: string[] = []

/** The answers that fell through since the last time, which then fail no test. */
export function takeFallen(): string[] {
  const taken = fallen
  fallen = []
  return taken
}

async function check(method: string, response: Response): Promise<void> {
  const { pathname, search } = new URL(response.url)
  if (!isRest.test(pathname)) return
  // Loaded with the first answer: most test files get none.
  const { answerFaults, answerOf } = await import('./answer-check.ts')
  const answer = await answerOf(method, pathname, response.clone())
  const faults = answerFaults(answer)
  if (faults.length === 0) return
  // The codes of an operation follow from `problems` of its field; `npm run codegen` writes the document.
  const told = `${method} ${pathname}${search} is not what rest/contract/openapi.json says:\n  ${faults.join('\n  ')}\n${answer.body.slice(0, 2000)}`
  fallen.push(told)
  throw new Error(told)
}

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init)
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
  await check(method.toUpperCase(), response)
  return response
}

// The error is thrown where the answer was asked for; a test that swallows it fails here.
afterEach(() => {
  const told = takeFallen()
  if (told.length > 0) throw new Error(told.join('\n'))
})
