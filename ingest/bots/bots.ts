import { isDeepStrictEqual } from 'node:util'
import {
  type BotMatcher,
  type BotRegistry,
  builtinBots,
  createBotMatcher,
  parseBots,
} from '../../core/bots/bots.ts'
import { type FollowOptions, followList } from './follow.ts'

/** By default the built-in registry. */
export type BotsOptions = Omit<FollowOptions, 'source'> & Partial<Pick<FollowOptions, 'source'>>

/** The current registry of crawlers. */
export interface BotsSource {
  /** A new object after each change: call it again instead of keeping the result. */
  current(): BotMatcher
  close(): void
}

/**
 * Opens the registry of crawlers: the last valid one of the source, else the built-in one. The source is read in the
 * background, at once and then periodically. An invalid registry changes nothing, and a warning lists its faults.
 */
export async function openBots({ source, ...options }: BotsOptions): Promise<BotsSource> {
  let matcher = createBotMatcher(builtinBots)
  if (source === undefined) return { current: () => matcher, close: () => undefined }
  const close = await followList<BotRegistry>(
    { ...options, source },
    {
      name: 'registry of crawlers',
      parse: parseBots,
      onStored(registry) {
        matcher = createBotMatcher(registry)
      },
      onRead(registry) {
        const before = matcher.registry
        if (isDeepStrictEqual(registry, before)) return
        matcher = createBotMatcher(registry)
        options.log.info(changes(before, registry), 'the registry of crawlers changed')
      },
    },
  )
  return { current: () => matcher, close }
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
