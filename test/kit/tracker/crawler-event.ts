import { randomUUID } from 'node:crypto'
import { builtinBots, createBotMatcher } from '../../../core/bots/bots.ts'
import { hitLine } from '../../../ingest/event/event.ts'

export const gptBot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

const bots = createBotMatcher(builtinBots)
export const now = Date.UTC(2026, 2, 1, 12)
export const context = { projectId: randomUUID(), source: 'tracker', bots, now } as const

/** An event with what the contract requires, and its agent. */
export const needed = {
  event_name: 'server_request',
  timestamp: now - 1,
  method: 'GET',
  path: '/prices',
  url: 'https://www.acme.com/prices',
  status_code: 200,
  response_time_ms: 12,
  user_agent: gptBot,
}

/** The columns of an event, or why it is dropped. */
export function hit(event: unknown): Record<string, unknown> | string {
  const { line, dropped } = hitLine(event, context)
  return line === undefined ? dropped : JSON.parse(line)
}

/** One column of an event that has all that is needed and more. */
export function column(name: string, more: object): unknown {
  const columns = hit({ ...needed, ...more })
  return typeof columns === 'string' ? columns : columns[name]
}
