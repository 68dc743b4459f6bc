import { readReply } from '../../../core/collecting/providers/read.ts'
import { isObject } from '../../files/flaw.ts'

type Raw = Record<string, unknown>

const recordsOf = (value: unknown): Raw[] => (Array.isArray(value) ? value.filter(isObject) : [])

/**
 * A chat of Peec: its messages are the prompt and the answer.
 * @see https://docs.peec.ai/api-reference/project/get-chat
 */
function chat(raw: Raw): Raw {
  const messages = recordsOf(raw.messages)
  const said = (role: string) => messages.filter((message) => message.role === role)
  const { messages: _messages, model, model_channel: _channel, id: _id, ...rest } = raw
  return {
    ...rest,
    prompt: said('user').at(0)?.content,
    text: said('assistant').at(-1)?.content,
    platform: model,
    model,
  }
}

/**
 * The results of a run of Promptfoo. A prompt that was asked several times has several runs.
 * @see https://www.promptfoo.dev/docs/configuration/outputs
 */
function promptfooResults(rows: readonly Raw[], timestamp: unknown): Raw[] {
  const runs = new Map<string, number>()
  return rows.map((row) => {
    const { provider, prompt, response, vars } = row
    const id = isObject(provider) ? provider.id : provider
    const asked = isObject(prompt) ? prompt.raw : prompt
    const output = isObject(response) ? response.output : response
    const key = JSON.stringify([id, asked])
    const run = (runs.get(key) ?? 0) + 1
    runs.set(key, run)
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    return { prompt: asked, text, platform: id, model: id, timestamp, run, vars }
  })
}

/** A record of a question that got no answer. */
export class NoAnswer {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/**
 * A question with the body that a provider's API answered. Other fields of the record win over those of the body.
 * @returns null for a record without such a body
 */
function recorded(raw: Raw): Raw | NoAnswer | null {
  const { response, ...rest } = raw
  const reply = isObject(response) ? readReply(response) : null
  if (reply === null) return null
  const { outcome, reason, text, model, createdAt, searchQueries, pages } = reply
  if (outcome !== 'answered' && outcome !== 'cut_off') {
    return new NoAnswer(`has no answer: ${outcome}${reason && `, ${reason.slice(0, 200)}`}`)
  }
  return {
    ...(createdAt === null ? {} : { collectedAt: createdAt }),
    model,
    platform: model,
    ...rest,
    text,
    searchQueries,
    citations: pages.map(({ cited, ...page }) => (cited ? page : { ...page, cited })),
  }
}

/** The records in the list of an answer of an API; null for an object without one. */
function listedIn(document: Raw): unknown[] | null {
  const { results } = document
  const rows = isObject(results) ? recordsOf(results.results) : []
  if (rows.length > 0) {
    const { timestamp } = results as Raw
    return promptfooResults(rows, timestamp ?? document.timestamp ?? document.createdAt)
  }
  for (const key of ['data', 'answers', 'chats', 'results', 'items', 'records', 'rows']) {
    const list = document[key]
    if (Array.isArray(list)) return list.map(one)
  }
  return null
}

/** Whether a value is an object with a list of records. */
export const holdsList = (value: unknown) => isObject(value) && listedIn(value) !== null

/** The records of a document: an array, one object, or the list in an answer of an API. */
export function recordsIn(document: unknown): unknown[] {
  if (Array.isArray(document)) return document.map(one)
  return (isObject(document) ? listedIn(document) : null) ?? [one(document)]
}

/** A record as its tool means it: the fields of an answer under whatever names. */
export function one(record: unknown): unknown {
  if (!isObject(record)) return record
  return Array.isArray(record.messages) ? chat(record) : (recorded(record) ?? record)
}
