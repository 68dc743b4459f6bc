import { isDeepStrictEqual } from 'node:util'
import {
  type BotMatcher,
  type BotRegistry,
  builtinBots,
  createBotMatcher,
  parseBots,
} from '../../core/bots.ts'
import type { Log } from '../../core/log.ts'
import { keepLastGood, type LastGood, readLastGood } from './last-good.ts'
import { isUrl, readSource, shownSource } from './source.ts'

export interface BotsOptions {
  /** The operator's registry, a file or a URL of `http` or `https`. Without it the built-in one holds. */
  readonly source?: string | undefined
  /** Where the last good registry of the source is kept, in a folder that is there. */
  readonly lastGoodFile: string
  readonly log: Log
  /** How often the source is read. Default a day for a URL, a minute for a file. */
  readonly refreshMs?: number | undefined
  /** How long a URL may take to answer. Default 30 s. */
  readonly timeoutMs?: number | undefined
}

/** The crawlers that are known now. */
export interface BotsSource {
  /** Another object after each change: to be asked for again, not kept. */
  current(): BotMatcher
  close(): void
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The pause after a failure, where the other is longer. */
const AGAIN_MS = 15 * MINUTE_MS
const TIMEOUT_MS = 30_000

/**
 * Opens the registry of crawlers: the last good one of the source, else the built-in one. The source
 * is read in the background, at once and then again and again. A registry that is not valid changes
 * nothing, and a warning lists its faults.
 */
export async function openBots(options: BotsOptions): Promise<BotsSource> {
  const { source, log } = options
  if (source === undefined) return fixed(createBotMatcher(builtinBots))
  const kept = await lastGoodOf(source, options)
  let matcher = createBotMatcher(kept?.registry ?? builtinBots)

  function renew(registry: BotRegistry): void {
    const before = matcher.registry
    if (isDeepStrictEqual(registry, before)) return
    matcher = createBotMatcher(registry)
    log.info(changes(before, registry), 'the registry of crawlers changed')
  }
  const close = follow(source, kept, options, renew)
  return { current: () => matcher, close }
}

function fixed(matcher: BotMatcher): BotsSource {
  return { current: () => matcher, close: () => undefined }
}

/** The last good registry of this source. What came from another source counts no longer. */
async function lastGoodOf(
  source: string,
  { lastGoodFile, log }: BotsOptions,
): Promise<LastGood | undefined> {
  try {
    const kept = await readLastGood(lastGoodFile)
    return kept?.source === source ? kept : undefined
  } catch (error) {
    const { message } = error as Error
    log.warn(
      { file: lastGoodFile },
      `The registry of crawlers that was kept is of no use: ${message}`,
    )
    return undefined
  }
}

/**
 * Reads the source until it is told to stop, keeps what is good and tells of it.
 * @returns stops it
 */
function follow(
  source: string,
  kept: LastGood | undefined,
  options: BotsOptions,
  onGood: (registry: BotRegistry) => void,
): () => void {
  const { log, refreshMs = isUrl(source) ? DAY_MS : MINUTE_MS, timeoutMs = TIMEOUT_MS } = options
  const closing = new AbortController()
  let good = kept
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
      throw new Error(`the new one is in use, but could not be kept: ${message}`)
    })
    good = found
  }
  function warn({ message }: Error): void {
    // Once, and not every minute.
    if (message === warned || closing.signal.aborted) return
    warned = message
    log.warn(
      { source: shownSource(source) },
      `The registry of crawlers was not renewed: ${message}`,
    )
  }
  async function again(): Promise<void> {
    const pauseMs = await refresh().then(
      () => {
        warned = ''
        return refreshMs
      },
      (error) => {
        warn(error)
        return Math.min(refreshMs, AGAIN_MS)
      },
    )
    if (!closing.signal.aborted) timer = setTimeout(again, pauseMs).unref()
  }
  void again()
  return () => {
    closing.abort()
    clearTimeout(timer)
  }
}

/** What a log says of a registry that takes the place of another. */
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
