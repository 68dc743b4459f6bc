import type { TestApi } from './api.ts'

/** An answer of GraphQL to one question. */
export interface GraphAnswer {
  readonly data: Record<string, Record<string, unknown>>
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: { code: string; details?: { fieldErrors: Record<string, string[]> } }
  }[]
}

/** Asks GraphQL as one key, and gives the whole answer. */
export function asking(api: TestApi, key: () => string) {
  return async (text: string, as = key()): Promise<GraphAnswer> =>
    (await (await api.graphql(text, as)).json()) as GraphAnswer
}

/** The code of the first error, with the fields that it names. */
export function faultIn({ errors }: GraphAnswer): string {
  const [error] = errors ?? []
  if (!error) return 'none'
  const { code, details } = error.extensions
  return [code, ...Object.keys(details?.fieldErrors ?? {})].join(' ')
}
