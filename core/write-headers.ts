import { parseItem } from 'structured-headers'
import { invalid } from './errors.ts'

const printable = /^[\x20-\x7e]{1,255}$/
const mostRevision = 2 ** 31 - 1

function single(name: string, texts: readonly string[]): string | undefined {
  const [text, ...others] = texts
  if (others.length > 0) throw invalid(name, 'must be given once')
  return text
}

function unquoted(text: string): unknown {
  try {
    return parseItem(text)[0]
  } catch {
    return undefined
  }
}

/**
 * The idempotency key of a request, bare or in double quotes as in structured fields. Both spellings are the same key.
 * @param texts the values of the header or the argument `name`
 * @returns undefined without a key
 * @throws {Fault} `invalid_argument`
 * @see RFC 9651, section 3.3.3
 */
export function readIdempotencyKey(texts: readonly string[], name = 'Idempotency-Key') {
  const text = single(name, texts)
  if (text === undefined) return undefined
  const key = text.startsWith('"') ? unquoted(text) : text
  if (typeof key === 'string' && printable.test(key)) return key
  throw invalid(name, 'must be 1 to 255 printable ASCII characters, in double quotes or bare')
}

/**
 * The revision in `If-Match`: `"5"`, `5`, or `W/"5"`, because compressing proxies weaken tags.
 * @throws {Fault} `invalid_argument`
 */
function readIfMatch(texts: readonly string[]): number | undefined {
  const text = single('If-Match', texts)
  if (text === undefined) return undefined
  const [, quoted, bare] = /^(?:(?:W\/)?"([1-9]\d*)"|([1-9]\d*))$/.exec(text) ?? []
  const revision = Number(quoted ?? bare)
  if (revision <= mostRevision) return revision
  throw invalid('If-Match', 'must be one revision, such as "5"', text)
}

/**
 * Adds the revision in `If-Match` to the arguments as `expectedRevision`.
 * @throws {Fault} `invalid_argument`, also when the two revisions differ
 */
export function withIfMatch<Args extends object>(args: Args, texts: readonly string[]): Args {
  const named = readIfMatch(texts)
  if (named === undefined) return args
  const { expectedRevision = named } = args as { expectedRevision?: unknown }
  if (typeof expectedRevision === 'number' && expectedRevision !== named) {
    throw invalid('If-Match', 'differs from `expectedRevision`')
  }
  return { ...args, expectedRevision }
}
