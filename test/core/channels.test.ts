import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import type { KnownBlock } from '@slack/types'
import { describe, expect, test } from 'vitest'
import { slackBody, teamsBody } from '../../core/channels/chat.ts'
import { boundedEvent, mostBodyBytes } from '../../core/channels/events.ts'
import { nextTryMs } from '../../core/channels/tries.ts'

test('tries spread over three days: 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, a fifth more or less', () => {
  const pauses = Array.from({ length: 10 }, (_, at) => nextTryMs(at + 1, 0.5))
  const hour = 3_600_000
  expect(pauses).toEqual([
    5000,
    300_000,
    1_800_000,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
    null,
  ])
  expect([nextTryMs(1, 0), nextTryMs(1, 1)]).toEqual([4000, 6000])
})

test('a receiver that asks for a pause gets it, up to a day', () => {
  expect(nextTryMs(1, 0.5, 60_000)).toBe(60_000)
  expect(nextTryMs(2, 0.5, 60_000)).toBe(300_000)
  expect(nextTryMs(1, 0.5, 30 * 24 * 3_600_000)).toBe(24 * 3_600_000)
})

test('the largest event fits into a payload', () => {
  const long = '\u{1F600}'.repeat(10_000)
  const fact = { label: long, value: long, note: long }
  const event = boundedEvent({
    type: 'digest.ready',
    timestamp: '2026-11-28T07:00:00.000Z',
    data: {
      workspaceId: long.slice(0, 36),
      project: { id: '1', name: long, domain: long },
      title: long,
      text: long,
      facts: Array.from({ length: 100 }, () => fact),
      sections: [{ heading: long, facts: [fact], items: [{ text: long }] }],
      link: '/',
    },
  })
  expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(mostBodyBytes)
})

/** A digest of names that try to break out, as long as an event may be. */
const name = '<!channel> & [x](http://evil.test) *a* `b`'
const longest = boundedEvent({
  type: 'digest.ready',
  timestamp: '2026-11-28T07:00:00.000Z',
  data: {
    workspaceId: '1',
    project: { id: '1', name, domain: 'acme.com' },
    title: name,
    text: name.repeat(20),
    facts: [{ label: name, value: '1', note: name }],
    sections: Array.from({ length: 8 }, () => ({
      heading: name,
      items: Array.from({ length: 6 }, () => ({ text: `${name} ${'y'.repeat(150)}` })),
    })),
    link: 'https://sightline.example.com/projects/1',
  },
})

test('a message of Slack has the types and the limits of its Block Kit, and Discord gets a shorter text', () => {
  const { text, blocks } = slackBody(longest) satisfies { text: string; blocks: KnownBlock[] }
  expect(blocks.length).toBeLessThanOrEqual(50)
  for (const block of blocks) {
    expect(block.text.text.length).toBeGreaterThan(0)
    expect(block.text.text.length).toBeLessThanOrEqual(3000)
    // Markup is our link alone: `<!channel>` would call everybody.
    expect(block.text.text.replace(/^<https:[^|>]+\|[^>]+>$/, '')).not.toMatch(/[<>]/)
  }
  expect(text.length).toBeLessThanOrEqual(4000)
  const discord = slackBody(longest, 'discord.com').text
  expect(discord.length).toBeLessThanOrEqual(2000)
  for (const each of [text, discord]) {
    expect(each).toMatch(/\n…\nhttps:\/\/sightline\.example\.com\/projects\/1$/)
  }
})

describe('a message of Teams', () => {
  /** The parser of Microsoft's own renderer, which is made for browsers: it gets a global object of its own. */
  const problemsOf = (content: object): string[] => {
    const module = { exports: {} }
    const own: Record<string, unknown> = { module, exports: module.exports }
    own.self = own
    const file = createRequire(import.meta.url).resolve('adaptivecards/dist/adaptivecards.js')
    runInNewContext(readFileSync(file, 'utf8'), own)
    const cards = module.exports as typeof import('adaptivecards')
    const context = new cards.SerializationContext(new cards.Version(1, 5))
    const card = new cards.AdaptiveCard()
    card.parse(content, context)
    const events = Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at))
    const { validationEvents } = card.validateProperties()
    return [...events, ...validationEvents].map(({ message }) => message)
  }

  test('is an Adaptive Card 1.5 that the parser of Microsoft takes', () => {
    const [attachment] = teamsBody(longest).attachments
    expect(problemsOf(attachment?.content ?? {})).toEqual([])
    expect(problemsOf({ ...attachment?.content, body: [{ type: 'TextBlok' }] })).toHaveLength(1)
    // Workflows take 28 kB.
    expect(Buffer.byteLength(JSON.stringify(teamsBody(longest)))).toBeLessThan(28_000)
  })

  test('shows names as they are written, also in facts', () => {
    const said = JSON.stringify(teamsBody(longest).attachments[0]?.content.body)
    expect(said).not.toMatch(/(?<!\\)\]\(http/)
    expect(said).not.toMatch(/(?<!\\)<!channel/)
  })
})
