import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import builtin from '../data/bots.json' with { type: 'json' }
import { boundedPattern, boundedPatterns, patternFault } from './bot-pattern.ts'

export const botCategories = [
  'ai_training',
  'ai_search',
  'ai_assistant',
  'ai_agent',
  'search_engine',
] as const

/** What a crawler reads pages for. `ai_assistant` fetches them because a user has asked. */
export type BotCategory = (typeof botCategories)[number]

export interface Bot {
  /** Stable, 1 to 65535, never given to another bot. */
  readonly id: number
  readonly name: string
  readonly vendor: string
  /** The AI platform that it serves: an id of `core/platforms.ts`, or one of the same shape. */
  readonly platform: string
  readonly category: BotCategory
  /** The source of a regular expression, as `core/bots/bot-pattern.ts` allows and bounds it. */
  readonly pattern: string
}

/** The AI crawlers that are known. Its JSON is what `GET /v1/bots.json` shows and a source gives. */
export interface BotRegistry {
  /** YYYY-MM-DD */
  readonly updatedAt: string
  readonly bots: readonly Bot[]
}

const line = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,62}[!-~])?$/, 'must be 1 to 64 printable ASCII characters')

const botShape = z.object({
  id: z.int().min(1).max(65535),
  name: line,
  vendor: line,
  platform: z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be 1 to 64 of a-z, 0-9 and _'),
  category: z.enum(botCategories),
  pattern: z.string().superRefine((pattern, context) => {
    const fault = patternFault(pattern)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  }),
})

/** Checked before its bots are, so that a huge list costs nothing. */
const list = z.array(z.unknown()).min(1).max(1000)

const registryShape = z.object({ updatedAt: z.iso.date(), bots: list.pipe(z.array(botShape)) })

/**
 * A registry out of what JSON gave. Fields that are not known are left out. An empty list is
 * refused, since it would silence every crawler; a shorter one is the operator's own affair.
 * @throws {Error} lists every fault, one a line
 */
export function parseBots(json: unknown): BotRegistry {
  const result = registryShape.safeParse(json)
  const faults = [
    ...(result.error?.issues ?? []).map(({ path, message }) =>
      [z.core.toDotPath(path), message].filter(Boolean).join(': '),
    ),
    ...repeated(json, 'id'),
    ...repeated(json, 'name'),
    ...repeated(json, 'pattern'),
  ]
  if (result.success && faults.length === 0) return result.data
  throw new Error(`The crawler registry is not valid:\n${faults.map((f) => `  ${f}`).join('\n')}`)
}

const anyBots = z.object({ bots: list })

/** Faults of bots that share what each must have for itself, in any case. */
function repeated(json: unknown, field: 'id' | 'name' | 'pattern'): string[] {
  const one = z.object({ [field]: z.union([z.string(), z.number()]) })
  const firsts = new Map<string, number>()
  const { data } = anyBots.safeParse(json)
  return (data?.bots ?? []).flatMap((bot, i) => {
    const value = one.safeParse(bot).data?.[field]
    if (value === undefined) return []
    const key = String(value).toLowerCase()
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, i)
    return first === undefined ? [] : [`bots[${i}].${field}: is that of bots[${first}], too`]
  })
}

/** The registry that comes with this version. A test holds it to what `parseBots` asks. */
export const builtinBots = builtin as BotRegistry

/** Says which bot an agent is. */
export interface BotMatcher {
  readonly registry: BotRegistry
  /**
   * The bot of a user agent, undefined when it is none that is known. Where an agent names several,
   * a crawler of AI wins over a search engine, then the longer name, then the earlier one. Only the
   * first 1,024 characters count.
   */
  match(userAgent: string): Bot | undefined
}

const longestAgent = 1024

/** A matcher that remembers the last `cacheSize` agents, so that one of these is a look-up. */
export function createBotMatcher(
  registry: BotRegistry,
  options: { cacheSize?: number } = {},
): BotMatcher {
  const cache = new LRUCache<string, Bot | 'none'>({ max: options.cacheSize ?? 10_000 })
  const anyBot = boundedPatterns(registry.bots.map(({ pattern }) => pattern))
  const each = registry.bots.map((bot) => ({ bot, pattern: boundedPattern(bot.pattern) }))

  function search(agent: string): Bot | undefined {
    if (!anyBot.test(agent)) return undefined
    const found = each.flatMap(({ bot, pattern }) => {
      const at = pattern.exec(agent)
      return at === null ? [] : [{ bot, at: at.index, length: at[0].length }]
    })
    found.sort(
      (a, b) =>
        Number(a.bot.category === 'search_engine') - Number(b.bot.category === 'search_engine') ||
        b.length - a.length ||
        a.at - b.at,
    )
    return found[0]?.bot
  }

  return {
    registry,
    match(userAgent) {
      // Not remembered: its short beginning would keep the whole of it in memory.
      if (userAgent.length > longestAgent) return search(userAgent.slice(0, longestAgent))
      // Without a note of the use, which takes longer than the look-up.
      const known = cache.peek(userAgent)
      if (known !== undefined) return known === 'none' ? undefined : known
      const bot = search(userAgent)
      // A copy, for the agent may be a part of a large text, which would stay in memory with it.
      cache.set(Buffer.from(userAgent).toString(), bot ?? 'none')
      return bot
    },
  }
}
