import { describe, expect, test } from 'vitest'
import { faultIn } from '../../../../core/collecting/providers/read.ts'
import { wordsWithoutKey } from '../../../../core/collecting/providers/redact.ts'

const said = (message: string, more: object = {}) => ({ error: { message, ...more } })
const xai = (code: string, error: string) => ({ code, error })
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })
const google = (code: number, status: string, message: string, ...details: object[]) =>
  said(message, { code, status, details })
const quota = (...ids: string[]) => ({ violations: ids.map((quotaId) => ({ quotaId })) })

/** Errors as providers document them, and as their users report them. */
const errors: readonly (readonly [name: string, kind: string, status: number, body: unknown])[] = [
  [
    'OpenAI: a wrong key',
    'key',
    401,
    said('Incorrect API key provided: sk-a***z.', { code: 'invalid_api_key' }),
  ],
  [
    'OpenAI: no money',
    'key',
    429,
    said('You exceeded your current quota, please check your plan and billing details.', {
      type: 'insufficient_quota',
      code: 'credit_balance_exhausted',
    }),
  ],
  [
    'OpenAI: a limit',
    'limited',
    429,
    said(
      'Rate limit reached for gpt-4o on requests per min (RPM): Limit 3, Used 3. Please try again in 20s. You can increase your rate limit by adding a payment method to your account at https://platform.openai.com/account/billing.',
      { type: 'requests', code: 'rate_limit_exceeded' },
    ),
  ],
  [
    'OpenAI: a prompt that is filtered',
    'filtered',
    400,
    said(
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt.',
      { type: 'invalid_request_error', code: 'invalid_prompt' },
    ),
  ],
  [
    'OpenAI: a model that is not there',
    'model',
    404,
    said('The model `gpt-9` does not exist or you do not have access to it.', {
      code: 'model_not_found',
    }),
  ],
  [
    'OpenAI: a model that the project may not use',
    'model',
    403,
    said('Project `proj_1` does not have access to model `gpt-5`', { code: 'model_not_found' }),
  ],
  [
    'OpenAI: a wrong address',
    'address',
    404,
    said('Invalid URL (POST /v1/v1/responses)', { type: 'invalid_request_error', code: null }),
  ],
  [
    'OpenAI: an account that was closed',
    'key',
    403,
    said('Your account was deactivated for violating our usage policies.', {
      code: 'account_deactivated',
    }),
  ],
  ['Anthropic: a wrong key', 'key', 401, anthropic('authentication_error', 'invalid x-api-key')],
  [
    'Anthropic: no money',
    'key',
    400,
    anthropic(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  ],
  [
    'Anthropic: a limit of one’s own',
    'key',
    400,
    anthropic(
      'invalid_request_error',
      'You have reached your specified API usage limits. You will regain access on 2026-01-01 at 00:00 UTC.',
    ),
  ],
  [
    'Anthropic: a request of another shape',
    'request',
    400,
    anthropic('invalid_request_error', 'max_tokens: must be greater than 0'),
  ],
  [
    'Anthropic: a limit',
    'limited',
    429,
    anthropic('rate_limit_error', 'This request would exceed your organization’s rate limit'),
  ],
  ['Anthropic: too much to do', 'unavailable', 529, anthropic('overloaded_error', 'Overloaded')],
  [
    'Gemini: a wrong key',
    'key',
    400,
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', {
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
    }),
  ],
  [
    'Gemini: an expired key',
    'key',
    400,
    google(400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.'),
  ],
  [
    'Gemini, speaking for OpenAI: a wrong key',
    'key',
    400,
    [google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')],
  ],
  [
    'Gemini: a country without the API',
    'key',
    400,
    google(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
  ],
  [
    'Gemini: the quota of the day',
    'key',
    429,
    google(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details.',
      quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
    ),
  ],
  [
    'Gemini: a request of another shape',
    'request',
    400,
    google(400, 'INVALID_ARGUMENT', 'Thinking level MINIMAL is not supported for this model.'),
  ],
  [
    'xAI: a wrong key',
    'key',
    400,
    xai(
      'Client specified an invalid argument',
      'Incorrect API key provided: xa***zz. You can obtain an API key from https://console.x.ai.',
    ),
  ],
  [
    'xAI: no money',
    'key',
    429,
    xai(
      'Some resource has been exhausted',
      'Your team 16f2 has either used all available credits or reached its monthly spending limit.',
    ),
  ],
  [
    'xAI: a prompt that is filtered',
    'filtered',
    403,
    xai('permission-denied', 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE'),
  ],
  ['xAI: a right that the key lacks', 'key', 403, xai('permission-denied', 'Access is denied')],
  ['Perplexity: a wrong key, as a page', 'key', 401, null],
  [
    'OpenRouter: no money',
    'key',
    402,
    said('Insufficient credits. Add more using https://openrouter.ai/settings/credits', {
      code: 402,
    }),
  ],
  [
    'OpenRouter: a prompt that is filtered',
    'filtered',
    403,
    said('openai/gpt-5 requires moderation on OpenAI. Your input was flagged for "violence".', {
      code: 403,
      metadata: { reasons: ['violence'], flagged_input: 'x' },
    }),
  ],
  [
    'OpenRouter: a key that is used up',
    'key',
    403,
    said('Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys', {
      code: 403,
    }),
  ],
  [
    'OpenRouter: a model that is not there',
    'model',
    404,
    said('No endpoints found for google/gemini-2.5-flash:free.', { code: 404 }),
  ],
  [
    'OpenRouter: an error with the status of an answer',
    'limited',
    200,
    said('Provider returned error', { code: 429 }),
  ],
  [
    'Azure: a prompt that is filtered',
    'filtered',
    400,
    said('The response was filtered due to the prompt triggering its content management policy.', {
      code: 'content_filter',
    }),
  ],
  [
    'Hugging Face: no money',
    'key',
    402,
    { error: 'You have exceeded your monthly included credits for Inference Providers.' },
  ],
  ['Hugging Face: a wrong key', 'key', 401, { error: 'Invalid username or password.' }],
  [
    'Cerebras: a wrong key',
    'key',
    401,
    { message: 'Wrong API Key', type: 'invalid_request_error', code: 'wrong_api_key' },
  ],
  ['Mistral: a wrong key', 'key', 401, { detail: 'Unauthorized' }],
  ['a server without such a path', 'address', 404, { detail: 'Not Found' }],
  ['a page of a proxy', 'address', 404, null],
  ['a server that fails', 'unavailable', 500, said('billing_ service: invalid API key')],
]

describe('an error', () => {
  test.each(errors)('%s: %s', (_name, kind, status, body) => {
    expect(faultIn(status, body)?.kind).toBe(kind)
  })

  test('has its code, its words, and what it asks to wait', () => {
    const minute = google(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota.',
      quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
      { retryDelay: '34.4s' },
    )
    expect(faultIn(429, minute)).toEqual({
      kind: 'limited',
      code: 'RESOURCE_EXHAUSTED',
      words: 'You exceeded your current quota.',
      waitMs: 34_400,
    })
  })

  test.each([[{ object: 'response', error: null }], [{ choices: [], error: 'x' }], [null]])(
    'is none in the answer %j',
    (body) => {
      expect(faultIn(200, body)).toBeNull()
    },
  )
})

describe('the words of a provider', () => {
  const key = 'sk-proj-AbCdEf0123456789+/='

  test.each([
    ['Incorrect API key provided: sk-proj-AbCdEf0123456789+/=.', 'Incorrect API key provided: ***'],
    ['Wrong key sk-p****6789 here', 'Wrong key *** here'],
    ['Key ends in Ef0123456', 'Key ends in ***'],
    [`GET /?api_key=${encodeURIComponent(key)} failed`, 'GET *** failed'],
    [`Basic ${btoa(key)} is refused`, 'Basic *** is refused'],
    ['No\n  credits   left.', 'No credits left.'],
  ])('%j are shown as %j', (words, shown) => {
    expect(wordsWithoutKey(words, key)).toBe(shown)
  })

  test('are cut', () => {
    expect(wordsWithoutKey('No credits. '.repeat(100), key)).toHaveLength(201)
  })
})
