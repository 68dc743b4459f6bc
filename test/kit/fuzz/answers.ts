import { catalog } from '../../../core/errors.ts'
import { answerFaults } from '../rest/answer-check.ts'
import type { Heard, Sent } from './send.ts'

/** Longer is a hang. An import waits ten seconds for its turn before it is refused. */
export const hangMs = 15_000

/** What only the inside of the service writes: stacks, places of files, texts of the engines and of the clients. */
const inside = [
  /\bat \S+ \(?(file|node|\/)/,
  /node_modules|file:\/\/\/work|\.ts:\d+/,
  /Prisma|P20\d\d\b|prisma\./,
  /DB::Exception|ClickHouse|chdb|clickhouse|Code: \d+\./,
  /syntax error at or near|violates \w+[- ]\w* ?constraint|duplicate key value|invalid input syntax|invalid byte sequence|current transaction is aborted/,
  /ECONNREFUSED|ENOENT|Cannot read properties|is not a function|is not iterable|Maximum call stack|Invalid time value|Cannot convert/,
]

interface ProblemMembers {
  readonly code?: unknown
  readonly message?: unknown
  readonly status?: unknown
}

function codeFaults(place: string, { code, message, status }: ProblemMembers): string[] {
  if (typeof code !== 'string' || !Object.hasOwn(catalog, code))
    return [`${place} has the code ${String(code)}`]
  if (code === 'internal_error') return [`${place} is internal_error: ${String(message)}`]
  return typeof status === 'number' && status >= 500 ? [`${place} has status ${status}`] : []
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function graphqlFaults({ headers, body, status }: Heard, method: string): string[] {
  const type = headers.get('content-type') ?? ''
  // GraphiQL, for browsers.
  if (method === 'GET' && status === 200 && type.startsWith('text/html')) return []
  if (!/^application\/(json|graphql-response\+json)/.test(type))
    return [`the content type is ${type}`]
  const answer = parsed(body) as { data?: unknown; errors?: unknown } | undefined
  if (typeof answer !== 'object' || answer === null) return ['the body is not JSON']
  const { data, errors } = answer
  if (data === undefined && errors === undefined) return ['there is neither data nor an error']
  if (errors === undefined) return []
  if (!Array.isArray(errors)) return ['`errors` is no list']
  return errors.flatMap((error: { message: string; extensions?: object }) =>
    codeFaults('an error', { ...error.extensions, message: error.message }),
  )
}

function problemFaults({ status, headers, body }: Heard, method: string): string[] {
  if (status < 400 || method === 'HEAD') return []
  if (headers.get('content-type') !== 'application/problem+json')
    return ['the error is no problem+json']
  const problem = parsed(body)
  return problem ? codeFaults('the problem', problem) : ['the problem is not JSON']
}

/** HTTP's own refusal of a header that is too large, before there is a request. */
const isOfHttp = ({ status, body }: Heard) => status === 431 && body === ''

/** Everything that is wrong with an answer, one line a fault. */
export function faultsOf(sent: Sent, heard: Heard): string[] {
  if (isOfHttp(heard)) return []
  const { door, method, path } = sent
  const { status, headers, body, tookMs } = heard
  // An address or a host that cannot be read is refused before any door.
  const isEarly =
    status === 400 &&
    sent.headers.host !== undefined &&
    headers.get('content-type') === 'application/problem+json'
  const isGraphql = door === 'GraphQL' && !isEarly
  const errors = status >= 400 || door === 'GraphQL' ? body : ''
  const { pathname } = new URL(`http://localhost${path}`)
  // An empty id at the end is a path of which no document speaks.
  const isDocumented = door === 'REST' && !isEarly && !pathname.endsWith('/')
  return [
    ...(tookMs > hangMs ? [`it took ${Math.round(tookMs)} ms`] : []),
    ...(status >= 500 ? [`status ${status}`] : []),
    ...inside
      .filter((shape) => shape.test(errors))
      .map((shape) => `it shows the inside: ${shape.exec(errors)?.[0]}`),
    ...(isGraphql ? graphqlFaults(heard, method) : problemFaults(heard, method)),
    ...(isDocumented ? answerFaults({ method, path: pathname, status, headers, body }) : []),
  ]
}
