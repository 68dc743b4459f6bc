import type { Operation } from './operation.ts'

const ignoredHeader = 'X-Ignored-Parameters'

/** Longer names and longer lists help nobody who looks for a slip. */
const mostNames = 10
const longestName = 60

/** A name as a token of a header: other characters are percent-encoded. */
const written = (name: string) => encodeURIComponent(name.slice(0, longestName).toWellFormed())

/** Names of the query that an operation does not read: a write and a read by body read none. */
function ignoredNames({ route, field }: Operation, query: URLSearchParams): string[] {
  const isGet = route.method === 'GET'
  const args = field.args.filter(({ name }) => isGet && !route.path.includes(`{${name}}`))
  const read = new Set(args.map(({ name }) => name))
  if (isGet || route.reads) read.add('format')
  return [...new Set(query.keys())].filter((name) => name !== '' && !read.has(name))
}

/** The header that names the parameters which a response ignores; none where it ignores none. */
export function ignoredParameters(
  operation: Operation,
  query: URLSearchParams,
): Record<string, string> {
  const names = ignoredNames(operation, query)
  if (names.length === 0) return {}
  return { [ignoredHeader]: names.slice(0, mostNames).map(written).join(', ') }
}
