/** For answers of others than the service. */
export const plainFetch = globalThis.fetch

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

/** Fetches, and checks a REST answer against the OpenAPI document: its status, its headers, each key of its body. */
export const checkedFetch: typeof fetch = async (input, init) => {
  const response = await plainFetch(input, init)
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
  await check(method.toUpperCase(), response)
  return response
}
