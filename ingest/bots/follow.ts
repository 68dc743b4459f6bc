import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../../core/log.ts'
import { keepLastGood, type LastGood, readLastGood } from './last-good.ts'
import { isUrl, readSource, shownSource } from './source.ts'

export interface FollowOptions {
  /** The operator's list: a file, or a URL of `http` or `https`. */
  readonly source: string | undefined
  /** The file for the last valid list, in an existing folder. */
  readonly lastGoodFile: string
  readonly log: Log
  /** The period of reading the source. Default a day for a URL, a minute for a file. */
  readonly refreshMs?: number | undefined
  /** The timeout of a URL. Default 30 s. */
  readonly timeoutMs?: number | undefined
}

/** A kind of list. */
interface Followed<List> {
  /** For the log, such as `registry of crawlers`. */
  readonly name: string
  /** @throws {Error} that lists all faults */
  readonly parse: (json: unknown) => List
  /** Of the list that an earlier process stored. Default: `parse`. @throws {Error} */
  readonly parseStored?: (json: unknown) => List
  /** Called before the return with the list that an earlier process stored. */
  readonly onStored: (list: List) => void
  /** Called with each valid list that is read, whether it changed or not. */
  readonly onRead: (list: List) => void
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** After a failure, so that an hour without the source does not become a day. */
const RETRY_MS = 15 * MINUTE_MS
const TIMEOUT_MS = 30_000

/**
 * Follows an operator's list. The source is read in the background, at once and then periodically. An invalid list
 * changes nothing, and a warning lists its faults.
 * @returns stops reading
 */
export async function followList<List>(
  options: FollowOptions & { readonly source: string },
  followed: Followed<List>,
): Promise<() => void> {
  const stored = await lastGoodOf(options, followed)
  if (stored !== undefined) followed.onStored(stored.list)
  return follow(stored, options, followed)
}

/** The last valid list of this source; undefined when the file holds another source. */
async function lastGoodOf<List>(
  { source, lastGoodFile, log }: FollowOptions,
  { name, parse, parseStored = parse }: Followed<List>,
): Promise<LastGood<List> | undefined> {
  try {
    const lastGood = await readLastGood(lastGoodFile, parseStored)
    return lastGood?.source === source ? lastGood : undefined
  } catch (error) {
    const { message } = error as Error
    log.warn({ file: lastGoodFile }, `The stored ${name} cannot be used: ${message}`)
    return undefined
  }
}

function follow<List>(
  stored: LastGood<List> | undefined,
  options: FollowOptions & { readonly source: string },
  { name, parse, onRead }: Followed<List>,
): () => void {
  const { source, log, timeoutMs = TIMEOUT_MS } = options
  const refreshMs = options.refreshMs ?? (isUrl(source) ? DAY_MS : MINUTE_MS)
  const closing = new AbortController()
  let good = stored
  let timer: NodeJS.Timeout | undefined
  let warned = ''

  async function refresh(): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    const answer = await readSource(source, good?.etag, signal)
    if (answer === 'unchanged' || closing.signal.aborted) return
    const { json, ...etag } = answer
    const found = { source, ...etag, list: parse(json) }
    onRead(found.list)
    if (isDeepStrictEqual(found, good)) return
    await keepLastGood(options.lastGoodFile, found).catch(({ message }: Error) => {
      throw new Error(`the new one is in use, but could not be stored: ${message}`)
    })
    good = found
  }
  function warn({ message }: Error): void {
    // One warning a fault, not one a minute.
    if (message === warned || closing.signal.aborted) return
    warned = message
    log.warn({ source: shownSource(source) }, `The ${name} was not updated: ${message}`)
  }
  async function readPeriodically(): Promise<void> {
    const pauseMs = await refresh().then(
      () => {
        warned = ''
        return refreshMs
      },
      (error) => {
        warn(error)
        return Math.min(refreshMs, RETRY_MS)
      },
    )
    if (!closing.signal.aborted) timer = setTimeout(readPeriodically, pauseMs).unref()
  }
  void readPeriodically()
  return () => {
    closing.abort()
    clearTimeout(timer)
  }
}
