import { z } from 'zod'

/**
 * `key`: the key is refused, or its account has no money left. `model`: the model is refused. Neither passes within a
 * run, so nothing more is asked with such a key. `filtered`: a filter of the provider refused the prompt. `request`: this
 * prompt is refused. `limited` and `unavailable`: later may pass.
 */
export type AskFaultKind =
  | 'key'
  | 'model'
  | 'filtered'
  | 'request'
  | 'address'
  | 'limited'
  | 'unavailable'
  | 'unreadable'

/** An error that a provider wrote into a body. */
export interface FaultInside {
  readonly kind: AskFaultKind
  /** A number or a word, never a text: it may repeat the key. */
  readonly code: string
  /** What the provider says, as it says it. It may repeat the key. */
  readonly words: string
  /** What the body asks to wait, in milliseconds; null where it does not say. */
  readonly waitMs: number | null
}

const word = z.string().nullish().catch(null)
const code = z.union([z.string(), z.number()]).nullish().catch(null)
const detail = z.object({
  reason: word,
  retryDelay: word,
  violations: z
    .array(z.object({ quotaId: word }))
    .nullish()
    .catch(null),
})
const inner = z.object({
  message: word,
  code,
  type: word,
  status: code,
  details: z.array(detail).nullish().catch(null),
})
/** An error stands in `error`, as an object or as a text, in `detail`, or is the body. */
const outer = inner.extend({
  error: z.union([inner, z.string()]).nullish().catch(null),
  detail: word,
})
/** Gemini sends a list of one where it speaks the language of OpenAI. */
const errorBody = z.union([outer, z.tuple([outer]).transform(([only]) => only)])

/** What the body of an error says. */
interface Said {
  readonly words: string
  /** Codes, types and reasons, the most precise first. */
  readonly codes: readonly string[]
  readonly waitMs: number | null
}

/** Longer texts are pages, or repeat what was sent. */
const mostWords = 2000
const nothing: Said = { words: '', codes: [], waitMs: null }

function saidIn(body: unknown): Said {
  const found = errorBody.safeParse(body).data
  if (!found) return nothing
  const { error, detail: text } = found
  const top = typeof error === 'object' && error !== null ? error : found
  const details = top.details ?? []
  const quotas = details.flatMap(({ violations }) => violations ?? [])
  const codes = [
    ...details.map(({ reason }) => reason),
    ...[top.code, top.type, top.status],
    ...quotas.map(({ quotaId }) => quotaId),
  ]
  const seconds = details.map(({ retryDelay }) => /^[\d.]+(?=s$)/.exec(retryDelay ?? '')?.[0])
  const [waitS] = seconds.filter((one) => one !== undefined)
  return {
    words: ((typeof error === 'string' ? error : top.message) || text || '').slice(0, mostWords),
    codes: codes.flatMap((one) => (one == null || one === '' ? [] : String(one))),
    waitMs: waitS === undefined ? null : Math.ceil(Number(waitS) * 1000),
  }
}

const anyOf = (...patterns: readonly RegExp[]) =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'i')

/** A key that is wrong, in codes and in words. xAI and Gemini say so with 400. */
const wrongKey = anyOf(
  /(?:incorrect|invalid|wrong|expired|missing|unknown|revoked|disabled) (?:x-)?api[ -]?key/,
  /api[ -]?key\b[^.]{0,60}\b(?:not valid|invalid|incorrect|expired|disabled|revoked|leaked)/,
  /api_key|authentication_error|invalid_authentication|account_deactivated|access_terminated/,
  /token seems invalid|invalid credentials|authentication fail/,
)

/** An account without money, or whose quota comes back on another day. OpenAI says so with 429, Anthropic with 400. */
const spent = anyOf(
  /credit balance|insufficient[ _](?:credits?|balance|funds|quota)|all available credits/,
  /requires more credits|included credits|spend(?:ing)?[ _]limit|specified api usage limits/,
  /billing_|billing hard limit|enable billing|budget has been exceeded|budget_exceeded|arrearage/,
  /(?:account|organization) (?:is|has been|was) (?:not active|deactivated|disabled|suspended|restricted)/,
  /organization_restricted|organization_usage_limit|exceeded_current_quota|location is not supported/,
  /RequestsPerDay|free-models-per-day/,
)

/** A prompt that a filter holds back. xAI says so with 403. */
const filtered = anyOf(
  /content[ _](?:filter|policy)|content management policy|data_inspection_failed|content exists risk/,
  /violates? (?:our |the )?usage (?:guidelines|polic)|invalid_prompt/,
  /(?:prompt|input|request|content) was flagged|requires moderation/,
)

const wrongModel = anyOf(
  /model_not_found|invalid_model|model_not_supported|invalid model|unknown model|no endpoints found/,
  /(?:model|deployment)\b.{0,100}(?:not found|not exist|not available|deprecated|decommissioned)/,
)

/** A path that the server does not have. */
const wrongPath = /^not found\.?$|invalid url|no route|cannot post/i

function kindOf(status: number, { words, codes }: Said): AskFaultKind {
  if (status === 401 || status === 402) return 'key'
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'unavailable'
  const said = [...codes, words].join(' ')
  if (wrongKey.test(said) || spent.test(said)) return 'key'
  if (status === 429) return 'limited'
  if (filtered.test(said)) return 'filtered'
  if (wrongModel.test(said)) return 'model'
  if (status === 403) return 'key'
  if (status !== 404) return 'request'
  return said === '' || wrongPath.test(words) ? 'address' : 'model'
}

/** The error that a provider answered with, by the HTTP status and by what the body says. */
export function errorIn(status: number, body: unknown): FaultInside {
  const said = saidIn(body)
  const code = said.codes.find((one) => /^[a-z][\w.-]{0,60}$/i.test(one)) ?? ''
  return { kind: kindOf(status, said), code, words: said.words, waitMs: said.waitMs }
}

const inSuccess = z.object({
  error: z.object({ code: z.number().int().min(400).max(599), message: z.string() }),
})

/**
 * The error in a body that came with the status of an answer: gateways have sent the status before the model failed.
 * @returns null for a body without one
 */
export function errorInside(body: unknown): FaultInside | null {
  const found = inSuccess.safeParse(body)
  return found.success ? errorIn(found.data.error.code, body) : null
}
