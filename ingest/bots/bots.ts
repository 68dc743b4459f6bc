import { isDeepStrictEqual } from 'node:util'
import {
  type BotMatcher,
  type BotRegistry,
  builtinBots,
  createBotMatcher,
  parseBots,
} from '../../core/bots/bots.ts'
import type { Log } from '../../core/log.ts'
import { keepLastGood, type LastGood, readLastGood } from './last-good.ts'
import { isUrl, readSource, shownSource } from './source.ts'

export interface BotsOptions {
  /** The operator's registry: a file, or a URL of `http` or `https`. Default: the built-in registry. */
  readonly source?: string | undefined
  /** The file for the last valid registry, in an existing folder. */
  readonly lastGoodFile: string
  readonly log: Log
  /** The period of reading the source. Default a day for a URL, a minute for a file. */
  readonly refreshMs?: number | undefined
  /** The timeout of a URL. Default 30 s. */
  readonly timeoutMs?: number | undefined
}

/** The current registry of crawlers. */
export interface BotsSource {
  /** A new object after each change: call it again instead of keeping the result. */
  current(): BotMatcher
  close(): void
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The longest pause after a failure. */
const RETRY_MS = 15 * MINUTE_MS
const TIMEOUT_MS = 30_000

/**
 * Opens the registry of crawlers: the last valid one of the source, else the built-in one. The source is read in the
 * background, at once and then periodically. An invalid registry changes nothing, and a warning lists its faults.
 */
export async function openBots(options: BotsOptions): Promise<BotsSource> {
  const { source, log } = options
  if (source === undefined) return fixed(createBotMatcher(builtinBots))
  const lastGood = await lastGoodOf(source, options)
  let matcher = createBotMatcher(lastGood?.registry ?? builtinBots)

  function renew(registry: BotRegistry): void {
    const before = matcher.registry
    if (isDeepStrictEqual(registry, before)) return
    matcher = createBotMatcher(registry)
    log.info(changes(before, registry), 'the registry of crawlers changed')
  }
  const close = follow(source, lastGood, options, renew)
  return { current: () => matcher, close }
}

function fixed(matcher: BotMatcher): BotsSource {
  return { current: () => matcher, close: () => undefined }
}

/** The last valid registry of this source; undefined when the file holds another source. */
async function lastGoodOf(
  source: string,
  { lastGoodFile, log }: BotsOptions,
): Promise<LastGood | undefined> {
  try {
    const lastGood = await readLastGood(lastGoodFile)
    return lastGood?.source === source ? lastGood : undefined
  } catch (error) {
    const { message } = error as Error
    log.warn({ file: lastGoodFile }, `The stored registry of crawlers cannot be used: ${message}`)
    return undefined
  }
}

/**
 * Reads the source periodically, stores each valid registry and passes it to `onGood`.
 * @returns stops reading
 */
function follow(
  source: string,
  lastGood: LastGood | undefined,
  options: BotsOptions,
  onGood: (registry: BotRegistry) => void,
): () => void {
  const { log, refreshMs = isUrl(source) ? DAY_MS : MINUTE_MS, timeoutMs = TIMEOUT_MS } = options
  const closing = new AbortController()
  let good = lastGood
  let timer: NodeJS.Timeout | undefined
  let warned = ''

  async function refresh(): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    const answer = await readSource(source, good?.etag, signal)
    if (answer === 'unchanged' || closing.signal.aborted) return
    const { json, ...etag } = answer
    const found = { source, ...etag, registry: parseBots(json) }
    onGood(found.registry)
    if (isDeepStrictEqual(found, good)) return
    await keepLastGood(options.lastGoodFile, found).catch(({ message }: Error) => {
      throw new Error(`the new registry is in use, but could not be stored: ${message}`)
    })
    good = found
  }
  function warn({ message }: Error): void {
    // One warning a fault, not one a minute.
    if (message === warned || closing.signal.aborted) return
    warned = message
    log.warn(
      { source: shownSource(source) },
      `The registry of crawlers was not updated: ${message}`,
    )
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

/** The difference of two registries for the log. */
function changes(before: BotRegistry, after: BotRegistry): object {
  const old = new Set(before.bots.map(({ name }) => name))
  const now = new Set(after.bots.map(({ name }) => name))
  return {
    updatedAt: after.updatedAt,
    bots: now.size,
    added: [...now].filter((name) => !old.has(name)),
    removed: [...old].filter((name) => !now.has(name)),
  }
}
