import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { z } from 'zod'
import { content, shownText, textOf } from '../../core/collecting/providers/answer-text.ts'
import { errorIn, type FaultInside } from '../../core/collecting/providers/fault.ts'
import { wordsWithoutKey } from '../../core/collecting/providers/redact.ts'
import { retryAfterMs } from '../../core/collecting/providers/retry-after.ts'
import { jsonIn } from '../../core/json.ts'
import type { Settings } from '../../core/settings.ts'
import {
  judgeVersionOf,
  messagesOf,
  type Question,
  replyFormat,
  type Verdict,
  verdictsOf,
} from '../../core/text/judge/prompt.ts'

type JudgeSettings = Pick<Settings, 'JUDGE_MODEL' | 'JUDGE_URL' | 'JUDGE_API_KEY'>

/** What a call took. */
export interface Used {
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars; null for a model without a known price. */
  readonly cost: number | null
}

/** What came of a call. */
export interface Rated {
  /** One for each question, in order; null where the reply has no valid one. */
  readonly verdicts: readonly (Verdict | null)[]
  /** Null where nobody counts it. */
  readonly used: Used | null
}

/** A model at a provider that rates the tone of passages. */
export interface Judge {
  /** The model and the prompt. */
  readonly version: string
  /** Where passages go: scheme, host and port. */
  readonly host: string
  /**
   * Asks once, after the provider's refusals again.
   * @throws {JudgeFault} when the provider gives no reply
   * @throws the reason of the signal when it fires
   */
  rate(questions: readonly Question[], signal: AbortSignal): Promise<Rated>
}

/** The provider gave no reply. Neither key nor passages are part of the message, but the words that refuse a key are. */
export class JudgeFault extends Error {
  /** Whether these questions alone may be at fault: another request may pass. */
  readonly isAboutQuestions: boolean
  /** Seconds that the provider asks to wait; null where it does not say. */
  readonly retryAfterS: number | null
  /** Whether every call would get the same answer: the key or the model is refused. */
  readonly isOfAccount: boolean
  constructor(
    message: string,
    isAboutQuestions: boolean,
    retryAfterS: number | null,
    isOfAccount = false,
  ) {
    super(message)
    this.isOfAccount = isOfAccount
    this.name = 'JudgeFault'
    this.isAboutQuestions = isAboutQuestions
    this.retryAfterS = retryAfterS
  }

  /** Whether no other call may pass now. */
  get endsRun(): boolean {
    return this.isOfAccount || this.retryAfterS !== null
  }
}

const openAiUrl = 'https://api.openai.com/v1'

/** Where the API of the judge begins. */
export const judgeAddress = ({ JUDGE_URL = openAiUrl }: Pick<Settings, 'JUDGE_URL'>): string =>
  JUDGE_URL

const timeoutMs = 60_000
const retries = 3
/** A longer wait that the provider asks for is left to the queue of jobs. */
const longestWaitS = 20

/** Whole seconds, rounded up. */
const retryAfterOf = (headers: Headers): number | null => {
  const ms = retryAfterMs(headers.get('retry-after') ?? '')
  return ms && Math.ceil(ms / 1000)
}

/** What the provider asks to wait before the next try; null where it does not say. Some say it in milliseconds. */
function askedWaitMs(headers: Headers): number | null {
  const text = headers.get('retry-after-ms') ?? ''
  const waitS = retryAfterOf(headers)
  return /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : waitS && waitS * 1000
}

const named = (value: unknown) =>
  typeof value === 'string' && /^[a-z][a-z0-9_.]{0,60}$/.test(value) ? ` (${value})` : ''

const refusal = z.object({
  error: z.object({ code: z.unknown().optional(), param: z.unknown().optional() }),
})

/** The provider refused a request, or gave no answer at all. */
class Unanswered extends Error {
  /** Null without an answer. */
  readonly status: number | null
  readonly code: unknown
  /** The parameter that the provider refuses, where it names one. */
  readonly param: unknown
  readonly headers: Headers
  /** Null without an answer. */
  readonly said: FaultInside | null
  constructor(status: number | null, headers = new Headers(), body: unknown = null) {
    super('no answer')
    const { code, param } = refusal.safeParse(body).data?.error ?? {}
    this.status = status
    this.said = status === null ? null : errorIn(status, body)
    this.code = code
    this.param = param
    this.headers = headers
  }

  /** Whether every request would get the same answer: the key or the model is refused. */
  get isOfAccount(): boolean {
    return this.said?.kind === 'key' || this.said?.kind === 'model'
  }

  /** A longer wait than ours is left to the caller. */
  get mayPass(): boolean {
    if (this.isOfAccount || (askedWaitMs(this.headers) ?? 0) > longestWaitS * 1000) return false
    // Some providers say whether another try may help.
    const advice = this.headers.get('x-should-retry')
    if (advice === 'true' || advice === 'false') return advice === 'true'
    const { status } = this
    return status === null || status === 408 || status === 409 || status === 429 || status >= 500
  }

  /** Half a second, then twice as long each time, and a little less so that many do not come at once. */
  waitMs(attempt: number): number {
    const ownMs = Math.min(500 * 2 ** (attempt - 1), 8000) * (1 - Math.random() / 4)
    return askedWaitMs(this.headers) ?? ownMs
  }

  fault(host: string, key: string): JudgeFault {
    const { status, code, said, isOfAccount } = this
    // Other words of the provider are left out: they may repeat a passage.
    const words = isOfAccount && said?.words ? `: "${wordsWithoutKey(said.words, key)}"` : ''
    const answer = status === null ? 'does not answer' : `answered ${status}${named(code)}${words}`
    const isAboutQuestions = said?.kind === 'request' || said?.kind === 'filtered'
    return new JudgeFault(
      `The judge at ${host} ${answer}.`,
      isAboutQuestions,
      isOfAccount ? null : retryAfterOf(this.headers),
      isOfAccount,
    )
  }
}

/** Parameters that some models refuse. Without them the prompt alone asks for the format. */
const optional = { temperature: 0, response_format: replyFormat } as const
type Optional = keyof typeof optional

const isOptional = (name: unknown): name is Optional =>
  typeof name === 'string' && Object.hasOwn(optional, name)

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content }) })).min(1),
})

/** One request. @throws {Unanswered} */
async function post(url: string, sent: RequestInit, signal: AbortSignal): Promise<unknown> {
  const late = AbortSignal.timeout(timeoutMs)
  const own = { ...sent, method: 'POST', signal: AbortSignal.any([signal, late]) }
  const response = await fetch(url, own).catch(() => {
    throw new Unanswered(null)
  })
  // A body that breaks off is no JSON, and has no verdicts. One that never ends is no answer.
  const text = await response.text().catch(() => '')
  if (late.aborted) throw new Unanswered(null)
  const body = jsonIn(text)
  if (!response.ok) throw new Unanswered(response.status, response.headers, body)
  return body
}

/** The judge that the settings name; null where they name none. */
export function openJudge(settings: JudgeSettings): Judge | null {
  const { JUDGE_MODEL: model, JUDGE_API_KEY: apiKey } = settings
  if (model === undefined) return null
  const address = judgeAddress(settings)
  const url = `${address.replace(/\/$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }
  const { origin: host } = new URL(address)
  const refused = new Set<Optional>()

  /** The body of the reply, after refusals that may pass. @throws {Unanswered} */
  const reply = (body: string, signal: AbortSignal): Promise<unknown> =>
    pRetry(() => post(url, { headers, body }, signal), {
      // Each wait is ours: a provider may ask for one.
      retries,
      signal,
      minTimeout: 0,
      shouldRetry: async ({ error, attemptNumber }) => {
        if (!(error instanceof Unanswered && error.mayPass)) return false
        await sleep(error.waitMs(attemptNumber), undefined, { signal })
        return true
      },
    })

  async function ask(questions: readonly Question[], signal: AbortSignal): Promise<string> {
    const given = Object.entries(optional).filter(([name]) => !refused.has(name as Optional))
    const messages = messagesOf(questions)
    const sent = JSON.stringify({ model, messages, ...Object.fromEntries(given) })
    try {
      const read = completion.safeParse(await reply(sent, signal))
      return shownText(textOf(read.data?.choices[0]?.message.content))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Unanswered)) throw error
      const { status, param } = error
      if (status === 400 && isOptional(param) && !refused.has(param)) {
        refused.add(param)
        return ask(questions, signal)
      }
      throw error.fault(host, apiKey ?? '')
    }
  }

  return {
    version: judgeVersionOf(model),
    host,
    rate: async (questions, signal) => ({
      verdicts: verdictsOf(await ask(questions, signal), questions),
      used: null,
    }),
  }
}
