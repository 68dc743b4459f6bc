import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importAnswersFile } from '../../imports/answers/answers.ts'
import { run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { root } from '../kit/repository.ts'

const stores = useStores()
const fixture = (name: string) => join(root, 'test/fixtures/answers', name)

async function* inPieces(text: string, size = 40) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

async function load(bytes: AsyncIterable<Uint8Array>) {
  const projectId = await makeProject(stores)
  const result = await importAnswersFile(stores, { projectId, bytes })
  const answers = await run(stores.warehouse, {
    id: 'test.answers',
    sql: `SELECT toString(day) AS day, platform, model, run, country, text, sentiment FROM answers
           WHERE project_id = {projectId:UUID} ORDER BY day, run`,
    params: { projectId },
    row: (raw) => raw,
  })
  const cited = await run(stores.warehouse, {
    id: 'test.cited',
    sql: `SELECT url FROM citations WHERE project_id = {projectId:UUID} ORDER BY day, position`,
    params: { projectId },
    row: ({ url }) => String(url),
  })
  const prompts = await stores.db.prompt.findMany({
    where: { projectId },
    include: { topics: true },
  })
  return { projectId, result, answers, cited, prompts }
}

const file = (name: string) => load(createReadStream(fixture(name)))
const urls = ['https://a.example/x', 'https://b.example/y']

describe('exports of other tools', () => {
  test('chats of Peec give prompts, answers, sources, searches, products and ads', async () => {
    const { projectId, result, answers, cited, prompts } = await file('peec-chats.json')
    expect(result).toEqual({ read: 2, loaded: 2, skipped: 0, rejected: [] })
    expect(answers).toMatchObject([
      { day: '2025-05-10', platform: 'chatgpt', text: 'Acme anvils last.' },
      { day: '2025-05-11', platform: 'google_ai_overviews', text: 'Bolt anvils do.' },
    ])
    expect(cited).toEqual(urls)
    expect(prompts.map(({ text }) => text)).toEqual(['Which anvils last?'])
    const sums = await run(stores.warehouse, {
      id: 'test.sums',
      sql: `SELECT
        (SELECT groupArray(query) FROM fanout_queries WHERE project_id = {projectId:UUID}) AS queries,
        (SELECT groupArray(name) FROM product_mentions WHERE project_id = {projectId:UUID}) AS products,
        (SELECT groupArray((advertiser, title)) FROM ad_impressions WHERE project_id = {projectId:UUID}) AS ads`,
      params: { projectId },
      row: (raw) => raw,
    })
    expect(sums).toEqual([
      { queries: ['best anvils 2025'], products: ['Anvil One'], ads: [['Bolt', 'Bolt anvils']] },
    ])
  })

  test('JSON lines may have the names of other tools', async () => {
    const line = (question: string, engine: string, created_at: unknown) =>
      JSON.stringify({ question, answer: 'Acme.', engine, created_at, sources: [urls[0]] })
    const text = [
      line('Which?', 'ChatGPT', '2025-05-10'),
      '',
      line('What?', 'Gemini', 1746946800),
      '{',
    ]
    const { result, answers, cited } = await load(inPieces(text.join('\n')))
    expect(result).toEqual({
      read: 3,
      loaded: 2,
      skipped: 0,
      rejected: [{ line: 4, reason: 'The line is not valid JSON.' }],
    })
    expect(answers).toMatchObject([
      { day: '2025-05-10', platform: 'chatgpt' },
      { day: '2025-05-11', platform: 'gemini' },
    ])
    expect(cited).toEqual([urls[0], urls[0]])
  })

  test('bodies of providers give answers, and a refusal gives none', async () => {
    const annotations = [{ type: 'url_citation', url: urls[0], title: 'A' }]
    const message = {
      type: 'message',
      content: [{ type: 'output_text', text: 'Acme.', annotations }],
    }
    const action = { query: 'best anvils', sources: [{ url: urls[0] }, { url: urls[1] }] }
    const output = [{ type: 'web_search_call', action }, message]
    const answered = { object: 'response', model: 'gpt-5-mini', created_at: 1746860400, output }
    const refused = { choices: [{ finish_reason: 'content_filter', message: {} }] }
    const lines = [
      { prompt: 'Which anvil?', country: 'DE', response: answered },
      { prompt: 'Which anvil?', platform: 'perplexity', response: refused },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const { result, answers, cited } = await load(inPieces(text))
    expect(result).toEqual({
      read: 2,
      loaded: 1,
      skipped: 0,
      rejected: [{ line: 2, reason: 'The line has no answer: filtered, content_filter.' }],
    })
    const model = 'gpt-5-mini'
    const day = '2025-05-10'
    expect(answers).toMatchObject([
      { day, platform: 'chatgpt', model, country: 'DE', text: 'Acme.' },
    ])
    expect(cited).toEqual([urls[0]])
  })

  test('answers of Profound; a country that cannot be read is left out, and the answer stays', async () => {
    const { result, answers, cited, prompts } = await file('profound-answers.json')
    expect(result).toEqual({
      read: 2,
      loaded: 2,
      skipped: 0,
      rejected: [],
      leftOut: [{ line: 2, reason: '`country` cannot be read: left out.' }],
    })
    expect(answers).toMatchObject([
      { day: '2025-05-10', platform: 'chatgpt', country: 'US', text: 'Acme anvils last.' },
      { day: '2025-05-11', platform: 'gemini', country: '', text: 'Bolt anvils do.' },
    ])
    expect(cited).toEqual(urls)
    expect(prompts[0]?.topics).toHaveLength(1)
  })

  test('results of Promptfoo: a repeated question is another run, and an error is no answer', async () => {
    const { result, answers } = await file('promptfoo-results.json')
    expect(result).toMatchObject({
      read: 3,
      loaded: 2,
      rejected: [{ line: 3, reason: '`text` is required.' }],
    })
    expect(answers).toMatchObject([
      { platform: 'chatgpt', model: 'gpt-4o', run: 1, text: 'Acme anvils last.' },
      { platform: 'chatgpt', model: 'gpt-4o', run: 2, text: 'Bolt anvils do.' },
    ])
  })

  test('a table by its columns, with the lines of the file in the summary', async () => {
    const { result, answers, cited } = await file('spreadsheet.csv')
    expect(result).toMatchObject({
      loaded: 2,
      leftOut: [{ line: 4, reason: '`country` cannot be read: left out.' }],
      rejected: [{ line: 5, reason: expect.stringContaining('`collectedAt` must be an ISO 8601') }],
    })
    expect(answers).toMatchObject([
      { day: '2025-05-10', platform: 'chatgpt', country: 'DE', sentiment: 1 },
      { day: '2025-05-11', platform: 'perplexity', country: '', sentiment: null },
    ])
    expect(cited).toEqual(urls)
  })
})

describe('JSON of our own', () => {
  const line = { prompt: 'p', platform: 'chatgpt', collectedAt: '2025-05-10', text: 'Acme.' }

  test.each([
    ['an array', JSON.stringify([line, { ...line, run: 2 }])],
    ['an array over lines', JSON.stringify([line, { ...line, run: 2 }], null, 2)],
    ['lines', `${JSON.stringify(line)}\n${JSON.stringify({ ...line, run: 2 })}\n`],
    [
      'other names',
      JSON.stringify([
        { query: 'p', engine: 'openai', created_at: 1746835200, response: 'Acme.' },
        {
          question: 'p',
          llm: 'ChatGPT',
          timestamp: '2025-05-10T00:00:00Z',
          answer: 'Acme.',
          run: 2,
        },
      ]),
    ],
  ])('as %s gives the same answers', async (_name, text) => {
    const { result, answers } = await load(inPieces(text))
    expect(result).toMatchObject({ read: 2, loaded: 2 })
    expect(answers).toMatchObject([
      { platform: 'chatgpt', run: 1, text: 'Acme.' },
      { platform: 'chatgpt', run: 2, text: 'Acme.' },
    ])
  })

  test('in lines stays strict: a wrong country rejects its line', async () => {
    const { result } = await load(inPieces(JSON.stringify({ ...line, country: 'Atlantis' })))
    expect(result).toMatchObject({ loaded: 0, rejected: [{ line: 1 }] })
  })

  test('that is cut off is no answer', async () => {
    const text = readFileSync(fixture('profound-answers.json'), 'utf8').slice(0, 700)
    await expect(load(inPieces(text, 700))).rejects.toThrow('is not valid JSON')
  })
})
