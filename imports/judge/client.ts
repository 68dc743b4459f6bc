import type OpenAI from 'openai'
import type { APIError } from 'openai'
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

/** A model at a provider that rates the tone of passages. */
export interface Judge {
  /** The model and the prompt. */
  readonly version: string
  /** Where passages go: scheme, host and port. */
  readonly host: string
  /**
   * Asks once, after the provider's refusals again.
   * @returns one verdict for each question, in order; null where the reply has no valid one
   * @throws {JudgeFault} when the provider gives no reply
   * @throws the reason of the signal when it fires
   */
  rate(questions: readonly Question[], signal: AbortSignal): Promise<readonly (Verdict | null)[]>
}

/** The provider gave no reply. Neither key nor passages are part of the message. */
export class JudgeFault extends Error {
  /** Whether these questions alone may be at fault: another request may pass. */
  readonly isAboutQuestions: boolean
  /** Seconds that the provider asks to wait; null where it does not say. */
  readonly retryAfterS: number | null
  constructor(message: string, isAboutQuestions: boolean, retryAfterS: number | null) {
    super(message)
    this.name = 'JudgeFault'
    this.isAboutQuestions = isAboutQuestions
    this.retryAfterS = retryAfterS
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

const retryAfterOf = (headers: Headers | undefined): number | null => {
  const text = headers?.get('retry-after') ?? ''
  const seconds = /^\d{1,9}(\.\d+)?$/.test(text)
    ? Number(text)
    : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}

/** Keeps the SDK from sleeping through a long wait, which nothing could end. */
async function fetchWithoutLongWaits(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  if (response.ok || (retryAfterOf(response.headers) ?? 0) <= longestWaitS) return response
  const headers = new Headers(response.headers)
  headers.set('x-should-retry', 'false')
  return new Response(response.body, { status: response.status, headers })
}

const named = (value: unknown) =>
  typeof value === 'string' && /^[a-z][a-z0-9_.]{0,60}$/.test(value) ? ` (${value})` : ''

function faultOf(error: APIError, host: string): JudgeFault {
  const { status, code } = error
  // The text of the provider is left out: it may repeat the key or the passage.
  const answer = status === undefined ? 'does not answer' : `answered ${status}${named(code)}`
  const isAboutQuestions = status === 400 || status === 413 || status === 422
  return new JudgeFault(
    `The judge at ${host} ${answer}.`,
    isAboutQuestions,
    retryAfterOf(error.headers),
  )
}

/** Parameters that some models refuse. Without them the prompt alone asks for the format. */
const optional = { temperature: 0, response_format: replyFormat } as const
type Optional = keyof typeof optional

const isOptional = (name: unknown): name is Optional =>
  typeof name === 'string' && Object.hasOwn(optional, name)

/** The judge that the settings name; null where they name none. Loads the SDK. */
export async function openJudge(settings: JudgeSettings): Promise<Judge | null> {
  const { JUDGE_MODEL: model, JUDGE_API_KEY: apiKey } = settings
  const baseURL = judgeAddress(settings)
  if (model === undefined) return null
  const { default: OpenAi, APIError: ApiError } = await import('openai')
  const client: OpenAI = new OpenAi({
    ...{ baseURL, maxRetries: retries, timeout: timeoutMs, logLevel: 'off' },
    // Given, so that the SDK takes none from variables of the environment.
    ...{ apiKey: apiKey ?? 'none', adminAPIKey: null, organization: null, project: null },
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    fetch: fetchWithoutLongWaits,
  })
  const { origin: host } = new URL(baseURL)
  const refused = new Set<Optional>()

  async function ask(questions: readonly Question[], signal: AbortSignal): Promise<string> {
    const given = Object.entries(optional).filter(([name]) => !refused.has(name as Optional))
    try {
      const { choices } = (await client.chat.completions.create(
        { model, messages: [...messagesOf(questions)], ...Object.fromEntries(given) } as never,
        { signal },
      )) as OpenAI.ChatCompletion
      return choices?.[0]?.message?.content ?? ''
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ApiError) {
        const { status, param } = error
        if (status === 400 && isOptional(param) && !refused.has(param)) {
          refused.add(param)
          return ask(questions, signal)
        }
        throw faultOf(error, host)
      }
      // The reply is no JSON, or the connection broke off in the middle of it.
      if (error instanceof SyntaxError || error instanceof TypeError) return ''
      throw error
    }
  }

  return {
    version: judgeVersionOf(model),
    host,
    rate: async (questions, signal) => verdictsOf(await ask(questions, signal), questions),
  }
}
