import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { tooLarge } from '../core/load/under-load.ts'

/** Whether a value is larger than so many bytes as JSON. The search ends where it is known. */
function isLarger(value: unknown, bytes: number): boolean {
  const open: unknown[] = [value]
  let left = bytes
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') left -= next.length + 3
    else if (typeof next !== 'object' || next === null) left -= 4
    else if (Array.isArray(next)) for (const item of next) open.push(item)
    else {
      const named = next as Record<string, unknown>
      for (const key in named) {
        left -= key.length + 4
        open.push(named[key])
      }
    }
    if (left < 0) return true
  }
  return false
}

/** Refuses a response that aliases made larger than its rows: one row may stand in it many times. */
export function useResponseSize({ maxBytes }: { readonly maxBytes: number }): Plugin {
  return {
    onExecute: () => ({
      onExecuteDone({ result, setResult }) {
        if (Symbol.asyncIterator in result || !isLarger(result.data, maxBytes)) return
        const text = 'The document asks for a larger response than the service sends.'
        setResult({ errors: [new GraphQLError(text, { originalError: tooLarge(text) })] })
      },
    }),
  }
}
