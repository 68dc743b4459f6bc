import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type Bot, builtinBots, createBotMatcher, parseBots } from '../../core/bots/bots.ts'
import { crawledName } from '../../core/bots/platform-names.ts'
import { platforms, resolvePlatform } from '../../core/platforms.ts'
import crawlerAgents from '../fixtures/agents/crawlers.json' with { type: 'json' }
import otherAgents from '../fixtures/agents/others.json' with { type: 'json' }
import { realData } from '../kit/real-data.ts'

const matcher = createBotMatcher(builtinBots)
const named = (name: string) => builtinBots.bots.find((bot) => bot.name === name)
/** Bytes that are in use once the garbage is gone. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
const robots = realData('data/ai-robots.json')
const crawlerLog = realData('data/crawler-log.csv')

describe('the built-in registry', () => {
  test('is what a source may give, and the same through JSON', () => {
    expect(parseBots(JSON.parse(JSON.stringify(builtinBots)))).toEqual(builtinBots)
  })

  test('serves platforms by the ids that they have everywhere', () => {
    const ids = new Set(platforms.map(({ id }) => id))
    const strange = builtinBots.bots.filter(
      ({ platform }) => !ids.has(platform) && resolvePlatform(platform) !== null,
    )
    expect(strange.map(({ name, platform }) => `${name}: ${platform}`)).toEqual([])
  })

  test('gives each vendor one spelling', () => {
    const vendors = new Set(builtinBots.bots.map(({ vendor }) => vendor))
    expect(new Set([...vendors].map((vendor) => vendor.toLowerCase())).size).toBe(vendors.size)
  })

  test.each([
    ['GPTBot', { vendor: 'OpenAI', platform: 'chatgpt', category: 'ai_training' }],
    ['OAI-SearchBot', { vendor: 'OpenAI', platform: 'chatgpt', category: 'ai_search' }],
    ['ChatGPT-User', { vendor: 'OpenAI', platform: 'chatgpt', category: 'ai_assistant' }],
    ['Claude-Code', { vendor: 'Anthropic', platform: 'claude', category: 'ai_agent' }],
    ['PerplexityBot', { vendor: 'Perplexity', platform: 'perplexity', category: 'ai_search' }],
    ['Googlebot', { vendor: 'Google', platform: 'google', category: 'search_engine' }],
    ['bingbot', { vendor: 'Microsoft', platform: 'copilot', category: 'search_engine' }],
    ['Meta-ExternalAgent', { vendor: 'Meta', platform: 'meta_ai', category: 'ai_training' }],
  ])('%s is known', (name, bot) => {
    expect(named(name)).toMatchObject(bot)
  })

  test('keeps the ids that facts carry', () => {
    const ids = ['GPTBot', 'Googlebot', 'bingbot', 'ClaudeBot', 'CCBot', 'newsai']
    expect(ids.map((name) => named(name)?.id)).toEqual([1, 7, 8, 4, 41, 140])
  })
})

describe('an agent of a crawler', () => {
  test('is known of every bot', () => {
    const known = new Set(crawlerAgents.map(({ bot }) => bot))
    expect(builtinBots.bots.filter(({ name }) => !known.has(name))).toEqual([])
  })

  test.each(crawlerAgents)('of $bot gives this very bot: $userAgent', ({ bot, userAgent }) => {
    expect(matcher.match(userAgent)?.name).toBe(bot)
    expect(matcher.match(userAgent.toLowerCase())?.name).toBe(bot)
    expect(matcher.match(`${userAgent} (via a proxy)`)?.name).toBe(bot)
  })
})

describe('an agent of anything else', () => {
  test('comes in over a hundred sorts', () => {
    expect(new Set(otherAgents.map(({ userAgent }) => userAgent)).size).toBeGreaterThan(100)
  })

  test.each(otherAgents)('is no crawler, $kind: $userAgent', ({ userAgent }) => {
    expect(matcher.match(userAgent)).toBeUndefined()
  })

  test('is no crawler for holding its name within a longer word, a URL or an address', () => {
    const names = builtinBots.bots
      .filter(({ name, pattern }) => pattern === name)
      .map(({ name }) => name)
    expect(names.length).toBeGreaterThan(90)
    const within = names.flatMap((name) => [
      `My${name}/1.0`,
      `x-${name}/1.0`,
      `${name}ling/1.0`,
      `${name}_2`,
      `${name}.example`,
      `Mozilla/5.0 (compatible; Other/1.0; +https://example.com/${name})`,
      `Mozilla/5.0 (compatible; Other/1.0; ${name}@example.com)`,
    ])
    expect(within.filter((agent) => matcher.match(agent))).toEqual([])
  })

  test('may be nothing at all, or no text of this world', () => {
    for (const agent of ['', ' ', '-', '\u0000', '\ud800', '🤖', 'ＧＰＴＢｏｔ', 'ſearch']) {
      expect(matcher.match(agent)).toBeUndefined()
    }
  })
})

describe('an agent that names several', () => {
  test.each([
    ['GPTBot/1.3 (like Googlebot/2.1)', 'GPTBot'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1) ClaudeBot/1.0', 'ClaudeBot'],
    ['bingbot/2.0 Googlebot/2.1', 'Googlebot'],
    ['Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)', 'Claude-Code'],
    ['AI2Bot-DeepResearchEval (AI2Bot)', 'AI2Bot-DeepResearchEval'],
    ['Claude-User GPTBot', 'Claude-User'],
    ['CCBot/2.0 YouBot/1.0', 'YouBot'],
    ['Andibot Crawlee WRTNBot Andibot', 'Andibot'],
    ['HenkBot WRTNBot', 'HenkBot'],
    ['WRTNBot HenkBot', 'WRTNBot'],
  ])('%s is %s', (agent, name) => {
    expect(matcher.match(agent)?.name).toBe(name)
  })
})

describe('the list of ai.robots.txt', () => {
  /** Those of its names that are no crawler of AI, and why. */
  const left: Record<string, string> = {
    'Applebot-Extended': 'a word for robots.txt, the agent is Applebot',
    'Google-Extended': 'a word for robots.txt, the agent is Googlebot',
    'SemrushBot-OCOB': 'search engine optimisation',
    'SemrushBot-SWA': 'search engine optimisation',
    Awario: 'watches social media',
    YaK: 'watches media',
    EchoboxBot: 'reads the pages of its own customers, to post them',
    'Echobot Bot': 'sells addresses of companies',
    'Datenbank Crawler': 'nothing says that it is for AI',
    'netEstate Imprint Crawler': 'collects imprints',
    WARDBot: 'nothing says that it is for AI',
    ISSCyberRiskCrawler: 'rates security',
    'Linguee Bot': 'a dictionary',
    LCC: 'corpora of languages for research',
    AgentTimes: 'reads feeds',
    BuddyBot: 'a monitor has the same name',
    Panscient: 'collects facts about companies',
    'panscient.com': 'collects facts about companies',
    aiHitBot: 'collects facts about companies',
    Factset_spyderbot: 'collects financial facts',
    'Sidetrade indexer bot': 'collects facts about companies',
    wpbot: 'reads the pages of its own customers',
    facebookexternalhit: 'previews of links, of other messengers too',
    Code: 'an editor in which a person looks at pages',
    Cursor: 'an editor in which a person looks at pages',
    Trae: 'an editor in which a person looks at pages',
    Lightpanda: 'a browser that anybody can drive',
    Scrapy: 'a library',
    OpenAI: 'clients of its interface have it in their agents',
    Operator: 'a word of everyday',
    Spider: 'a word of everyday',
  }
  const names = Object.keys(JSON.parse(robots.text || '{}'))

  test.skipIf(robots.isAbsent)('has 166 names', () => {
    expect(names).toHaveLength(166)
    expect(Object.keys(left).filter((name) => !names.includes(name))).toEqual([])
  })

  test.each(names)('%s is a bot, or left out with a reason', (name) => {
    const bot = matcher.match(name) ?? matcher.match(`${name}/1.0`)
    expect([bot?.name, left[name]].filter((one) => one !== undefined)).toHaveLength(1)
  })
})

test.skipIf(crawlerLog.isAbsent)('every name in a log of crawlers is one of the bots', () => {
  const bots: Record<string, string> = {
    Amazonbot: 'Amazonbot',
    'Anthropic AI': 'anthropic-ai',
    Bingbot: 'bingbot',
    Bytespider: 'Bytespider',
    ChatGPT: 'ChatGPT-User',
    ClaudeBot: 'ClaudeBot',
    GPTBot: 'GPTBot',
    'Meta AI': 'Meta-ExternalAgent',
    PerplexityBot: 'PerplexityBot',
  }
  const rows = crawlerLog.lines.slice(1)
  const inLog = new Set(rows.map((row) => row.split(',')[1]))
  expect([...inLog].sort()).toEqual(Object.keys(bots))
  expect(Object.values(bots).filter((name) => !named(name))).toEqual([])
})

describe('a matcher', () => {
  const bot: Bot = {
    id: 1,
    name: 'TestBot',
    vendor: 'Test',
    platform: 'test',
    category: 'ai_agent',
    pattern: 'TestBot',
  }
  const registry = { updatedAt: '2026-11-21', bots: [bot] }

  test('answers the same from memory, with room for one agent, too', () => {
    const small = createBotMatcher(registry, { cacheSize: 1 })
    for (const agent of ['TestBot/1', 'TestBot/1', 'curl/8', 'curl/8', 'TestBot/1', 'curl/8']) {
      expect(small.match(agent)).toBe(agent === 'curl/8' ? undefined : bot)
    }
    expect(small.registry).toBe(registry)
  })

  test('reads 1,024 characters of an agent', () => {
    const { match } = createBotMatcher(registry)
    const agent = (before: number) => `${' '.repeat(before)}TestBot ${'x'.repeat(100_000)}`
    expect(match(agent(1024 - 'TestBot'.length))).toBe(bot)
    expect(match(agent(1025 - 'TestBot'.length))).toBeUndefined()
  })

  test('keeps no large text in memory for a part of it', () => {
    const { match } = createBotMatcher(registry)
    const before = heapUsed()
    for (let i = 0; i < 200; i++) {
      const large = Buffer.alloc(1_000_000, ' ').fill(`an agent that is number ${i} `, 0, 30)
      match(large.toString().slice(0, 30))
    }
    expect(heapUsed() - before).toBeLessThan(50_000_000)
  })

  test('works at the bounds of what a registry may hold', () => {
    const bots = Array.from({ length: 1000 }, (_, i) => ({
      ...bot,
      id: i + 1,
      name: `Bot ${i}`,
      pattern: `[a-z]?[a-z]?[a-z]?${'[a-z]'.repeat(35)}${i}`,
    }))
    const { match } = createBotMatcher(parseBots({ ...registry, bots }))
    expect(match(`${`${'a'.repeat(38)} `.repeat(20)} ${'a'.repeat(36)}999/1.0`)?.id).toBe(1000)
    expect(match(`${'é'.repeat(10)} ${'a'.repeat(38)}7`)?.id).toBe(8)
  })
})

describe('a registry that is not valid', () => {
  const bot = {
    id: 1,
    name: 'TestBot',
    vendor: 'Test',
    platform: 'test',
    category: 'ai_agent',
    pattern: 'TestBot',
  }
  function faultsOf(json: unknown): string[] {
    try {
      parseBots(json)
      return []
    } catch (error) {
      return (error as Error).message.split('\n').slice(1)
    }
  }
  const faultsOfPattern = (pattern: string) =>
    faultsOf({ updatedAt: '2026-11-21', bots: [{ ...bot, pattern }] })

  test('is told of all of its faults at once', () => {
    const bots = [
      bot,
      { ...bot, name: 'testbot', pattern: 'testBOT' },
      {
        ...bot,
        id: 0,
        name: '',
        vendor: 'a\nb',
        platform: 'Test',
        category: 'seo',
        pattern: '(a+)+',
      },
      { id: 2 },
      7,
    ]
    expect(faultsOf({ updatedAt: '2026-02-30', bots }).map((fault) => fault.split(':')[0])).toEqual(
      [
        '  updatedAt',
        '  bots[2].id',
        '  bots[2].name',
        '  bots[2].vendor',
        '  bots[2].platform',
        '  bots[2].category',
        '  bots[2].pattern',
        '  bots[3].name',
        '  bots[3].vendor',
        '  bots[3].platform',
        '  bots[3].category',
        '  bots[3].pattern',
        '  bots[4]',
        '  bots[1].id',
        '  bots[1].name',
        '  bots[1].pattern',
      ],
    )
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', [bot]],
    ['no bots', { updatedAt: '2026-11-21' }],
    ['an empty list', { updatedAt: '2026-11-21', bots: [] }],
    ['a time in place of a day', { updatedAt: '2026-11-21T00:00:00Z', bots: [bot] }],
    ['an id that no column holds', { updatedAt: '2026-11-21', bots: [{ ...bot, id: 65536 }] }],
    ['half an id', { updatedAt: '2026-11-21', bots: [{ ...bot, id: 1.5 }] }],
  ])('for being %s', (_, json) => {
    expect(faultsOf(json)).toHaveLength(1)
  })

  test('for more than a thousand bots, in one line', () => {
    const bots = Array.from({ length: 20_000 }, () => ({ pattern: '(' }))
    expect(faultsOf({ updatedAt: '2026-11-21', bots })).toHaveLength(1)
  })

  test.each([
    '',
    '(a+)+b',
    '(a|a)*',
    'a*',
    'a+',
    'a{5}',
    '.bot',
    '(?:bot)',
    '(?=bot)',
    '\\w',
    '\\bbot',
    '^bot',
    'bot$',
    '[^a]',
    '[]',
    '[z-a]x',
    'a??',
    '?a',
    'bot|',
    '|bot',
    'bot||crawl',
    'a?b?c?d?e',
    'bött',
    'tab\tbot',
    `a${'b'.repeat(200)}`,
    'Mozilla/',
    'Chrome|TestBot',
    '[a-z]',
    ' ',
    'Bot',
    'spider',
    'curl/',
    'http://',
  ])('for the pattern %j', (pattern) => {
    expect(faultsOfPattern(pattern)).toEqual([expect.stringMatching(/^ {2}bots\[0\]\.pattern: /)])
  })

  test.each([
    ['TestBot', 'testbot/1'],
    ['Test ?Bot', 'Test Bot'],
    ['Test-Bot|Testing', 'Testing'],
    ['Test[0-9]Bot', 'Test7Bot'],
    ['Test\\d', 'Test7'],
    ['test\\.com', 'test.com'],
    ['Test\\/', 'Test/1'],
    ['Test/', 'Test/1'],
    ['Test\\(\\+', 'Test(+x'],
    ['a?b?c?TestBot|d?e?f?Test', 'abcTestBot'],
  ])('has not the pattern %j, which finds %j', (pattern, agent) => {
    expect(faultsOfPattern(pattern)).toEqual([])
    const registry = parseBots({ updatedAt: '2026-11-21', bots: [{ ...bot, pattern }] })
    expect(createBotMatcher(registry).match(agent)?.name).toBe('TestBot')
  })

  test('may have fields of its own', () => {
    const json = { $schema: 'x', updatedAt: '2026-11-21', bots: [{ ...bot, url: 'https://x.y' }] }
    expect(parseBots(json)).toEqual({ updatedAt: '2026-11-21', bots: [bot] })
  })
})

test('every platform that crawlers serve has a name as people write it', () => {
  expect(['google', 'apple', 'commoncrawl', 'vertex_ai'].map(crawledName)).toEqual([
    'Google',
    'Apple',
    'Common Crawl',
    'Vertex AI',
  ])
  expect(crawledName('some_engine')).toBe('some_engine')
})
