import { normaliseUrl } from '../../core/sites/urls.ts'
import { bodyOf, contentEncoding } from '../net/body.ts'
import type { Exchange } from '../net/chain.ts'
import { TooLarge } from '../net/unpack.ts'
import type { Answer } from '../reading.ts'
import { depthCounter } from './depth.ts'

/** What one answer gave for a page. `bytes` is null unless the page is to be parsed. */
export interface PageAnswer {
  readonly kind: 'page' | 'answered' | 'not_html' | 'too_large' | 'too_deep'
  readonly answer: Answer
  readonly bytes: Uint8Array | null
}

export interface AnswerLimits {
  readonly pageBytes: number
  readonly depth: number
}

const sniffedBytes = 512

const typeOf = (header: string | null) => header?.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** The encoding that `Content-Type` names, null without one. */
export function charsetOf(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? null
}

const looksLikeHtml = (start: Uint8Array) =>
  /^(\uFEFF|\xEF\xBB\xBF)?\s*<(!doctype html|html)/i.test(Buffer.from(start).toString('latin1'))

/** Reads the first bytes alone; a body that cannot be read has none. */
async function firstBytes(exchange: Exchange): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of bodyOf(exchange, sniffedBytes)) parts.push(part)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
  }
  return Buffer.concat(parts)
}

async function readHtml(
  exchange: Exchange,
  answer: Answer,
  limits: AnswerLimits,
): Promise<PageAnswer> {
  const parts: Uint8Array[] = []
  const depth = depthCounter(limits.depth, charsetOf(answer.contentType))
  let size = 0
  const found = (kind: PageAnswer['kind'], isWhole: boolean): PageAnswer => {
    const bytes = isWhole ? Buffer.concat(parts) : null
    const start = Buffer.concat(parts.slice(0, sniffedBytes)).subarray(0, sniffedBytes)
    return {
      kind,
      answer: { ...answer, bytes: size, looksLikeHtml: looksLikeHtml(start) },
      bytes,
    }
  }
  try {
    for await (const part of bodyOf(exchange, limits.pageBytes)) {
      parts.push(part)
      size += part.length
      if (!depth.write(part)) return found('too_deep', false)
    }
  } catch (error) {
    if (error instanceof TooLarge) return found('too_large', false)
    throw error
  }
  return found('page', true)
}

/**
 * Reads one answer as a page: the body of a 200 in HTML whole, of another 200 its start, of the rest nothing.
 * @throws {Failure} where the body cannot be read
 */
export async function readAnswer(
  exchange: Exchange,
  url: URL,
  limits: AnswerLimits,
): Promise<PageAnswer> {
  const { status } = exchange
  const contentType = exchange.header('content-type').join(', ') || null
  const type = typeOf(contentType)
  const answer: Answer = {
    status,
    address: url.href,
    url: normaliseUrl(url.href) ?? url.href,
    contentType,
    isHtml: type === 'text/html' || type === 'application/xhtml+xml',
    looksLikeHtml: false,
    contentEncoding: contentEncoding(exchange),
    xRobotsTag: exchange.header('x-robots-tag'),
    link: exchange.header('link'),
    lastModified: exchange.header('last-modified')[0] ?? null,
    firstByteMs: [exchange.firstByteMs],
    bytes: 0,
  }
  if (status !== 200) return { kind: 'answered', answer, bytes: null }
  if (answer.isHtml) return readHtml(exchange, answer, limits)
  const isHidden = looksLikeHtml(await firstBytes(exchange))
  return {
    kind: isHidden ? 'answered' : 'not_html',
    answer: { ...answer, looksLikeHtml: isHidden },
    bytes: null,
  }
}
