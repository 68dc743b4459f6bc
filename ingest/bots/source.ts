import { readFile, stat } from 'node:fs/promises'

/** The limit of a registry. A thousand bots need a fifth of it. */
const mostBytes = 1_048_576

/** The JSON of a registry, or `unchanged` since the response with the ETag. */
export type SourceAnswer = 'unchanged' | { readonly json: unknown; readonly etag?: string }

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** A source for logs, without the query of a URL, which may contain a secret. */
export function shownSource(source: string): string {
  if (!isUrl(source)) return source
  const { origin, pathname } = new URL(source)
  return `${origin}${pathname}`
}

/**
 * Reads a registry from a file or a URL, 1 MB at most.
 * @param etag of the stored response; an equal one gives `unchanged`
 * @throws {Error} with the reason, for an operator
 */
export async function readSource(
  source: string,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  if (!isUrl(source)) return { json: parsed(await readRegular(source)) }
  return readUrl(source, etag, signal).catch((error: Error) => {
    throw new Error(reasonOf(error), { cause: error })
  })
}

/** `fetch` puts the reason into the cause, and for several addresses into the code of the cause. */
function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  return cause.message || (cause as NodeJS.ErrnoException).code || message
}

async function readRegular(path: string): Promise<Uint8Array> {
  // Checked before `open`, which could wait without end for a pipe.
  const file = await stat(path)
  if (!file.isFile()) throw new Error('it is not a regular file')
  if (file.size > mostBytes) throw tooLarge()
  return readFile(path)
}

async function readUrl(
  url: string,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const headers = { accept: 'application/json', ...(etag && { 'if-none-match': etag }) }
  const response = await fetch(url, { headers, signal })
  if (!response.ok) {
    await response.body?.cancel()
    if (response.status === 304 && etag !== undefined) return 'unchanged'
    throw new Error(`the response has status ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the response.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  const given = response.headers.get('etag')
  return { json: parsed(Buffer.concat(chunks)), ...(given !== null && { etag: given }) }
}

function tooLarge(): Error {
  return new Error('it is larger than 1 MB')
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Error('it is not JSON')
  }
}
