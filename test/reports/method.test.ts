import { beforeAll, describe, expect, test } from 'vitest'
import { keepRaw } from '../../imports/collecting/raw.ts'
import { reportPage } from '../../web/share/page.ts'
import { makeReport } from '../../worker/report.ts'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { flat } from '../kit/graphql/flat.ts'
import { answers, brand, may } from '../kit/reports.ts'

const api = useApi()
let key = ''
let project = ''
let empty = ''
const ask = asking(api, () => key)
const window = `window: { from: "${may.from}", to: "${may.to}" }`

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  project = await workspace.project(brand)
  empty = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  await workspace.load(project, answers)
  await api.db.prompt.updateMany({
    where: { projectId: project, text: 'quiet earbuds' },
    data: { isBranded: true, intentCategory: 'commercial' },
  })
  // The reply that the answer of 2 May was read of, and one without an answer.
  const raw = {
    projectId: project,
    runId: project,
    prompt: 'best headphones',
    repetition: 1,
    provider: 'openai' as const,
    model: 'gpt-5-mini',
    adapterVersion: 1,
    body: '{}',
    redirects: {},
    place: null,
  }
  const at = (day: number) => new Date(Date.UTC(2025, 4, day, 8))
  await keepRaw(api.warehouse, { ...raw, askId: project, platform: 'chatgpt', askedAt: at(2) })
  await keepRaw(api.warehouse, { ...raw, askId: empty, platform: 'chatgpt', askedAt: at(4) })
})

const fields = `isDecisionGrade prompts: promptCount
  sample { answers: answerCount answersPerPrompt repetitions locations countries }
  types { branded unbranded unclassified intents { intent prompts: promptCount } withoutIntent }
  cadence { days firstDay lastDay typicalGapDays longestGapDays }
  reproducibility { rawAnswers answersWithoutModel nameRules toneRules }
  platforms { platform { slug } models answers: answerCount }
  missing { kind reason }`

async function methodOf(args = window, of = project) {
  const answer = await ask(
    `{ project(id: "${of}") { visibility(${args}) { method { ${fields} } } } }`,
  )
  expect(answer.errors).toBeUndefined()
  return flat(
    (answer.data.project as { visibility: { method: Record<string, unknown> } }).visibility.method,
  )
}

describe('the method of a report', () => {
  test('counts seven facts of its own answers, and says what is missing', async () => {
    expect(await methodOf()).toEqual({
      isDecisionGrade: false,
      prompts: 2,
      // By prompt and platform 1, 1, 3 and 5 answers, each of another day.
      sample: { answers: 10, answersPerPrompt: 3, repetitions: 1, locations: 0, countries: [] },
      types: {
        branded: 1,
        unbranded: 1,
        unclassified: 0,
        withoutIntent: 1,
        intents: [{ intent: 'commercial', prompts: 1 }],
      },
      // 2, 3, 4, 9, 10, 11, 12, 16, 20 and 30 May.
      cadence: {
        days: 10,
        firstDay: '2025-05-02',
        lastDay: '2025-05-30',
        typicalGapDays: 1,
        longestGapDays: 10,
      },
      reproducibility: {
        rawAnswers: 1,
        answersWithoutModel: 10,
        nameRules: [expect.any(Number)],
        toneRules: [expect.any(Number)],
      },
      platforms: [
        { platform: 'chatgpt', models: [], answers: 6 },
        { platform: 'perplexity', models: [], answers: 4 },
      ],
      missing: [
        { kind: 'few_prompts', reason: '2 of at least 30 prompts.' },
        { kind: 'few_answers', reason: '10 of at least 100 answers.' },
        {
          kind: 'no_raw_answers',
          reason: '9 of 10 answers have no stored reply of a provider.',
        },
        { kind: 'no_models', reason: '10 of 10 answers do not name their model.' },
      ],
    })
  })

  test('counts only the answers that the report counts', async () => {
    const filtered = await methodOf(`${window}, filter: { platforms: ["perplexity"] }`)
    expect(filtered).toMatchObject({
      prompts: 2,
      sample: { answers: 4 },
      platforms: [{ platform: 'perplexity', answers: 4 }],
    })
    const kinds = (filtered.missing as { kind: string }[]).map(({ kind }) => kind)
    expect(kinds).not.toContain('one_platform')
    const text = `{ project(id: "${project}") { prompts { nodes {
      text visibility(${window}) { method { prompts: promptCount sample { answers: answerCount } } } } } } }`
    const { prompts } = (await ask(text)).data.project as { prompts: { nodes: object[] } }
    expect(prompts.nodes).toContainEqual({
      text: 'best headphones',
      visibility: { method: { prompts: 1, sample: { answers: 6 } } },
    })
  })

  test('of a project without answers has nothing to count', async () => {
    expect(await methodOf(window, empty)).toMatchObject({
      prompts: 0,
      isDecisionGrade: false,
      platforms: [],
      sample: { answers: 0, answersPerPrompt: null, repetitions: null },
      cadence: { days: 0, firstDay: null, lastDay: null, typicalGapDays: null },
    })
  })

  test('is frozen with a report, and on its page', async () => {
    const input = `reportType: visibility, ${window}`
    const made = await ask(
      `mutation { createReport(projectId: "${project}", ${input}) { report { id } } }`,
    )
    const { createReport } = made.data as { createReport?: { report: { id: string } } }
    const id = createReport?.report.id ?? 'none'
    await makeReport(api, id)
    const text = `{ project(id: "${project}") { report(id: "${id}") { method { prompts: promptCount sample { answers: answerCount } } } } }`
    const report = { method: { prompts: 2, sample: { answers: 10 } } }
    expect((await ask(text)).data.project).toEqual({ report })
    const { content } = await api.db.report.findUniqueOrThrow({ where: { id } })
    const shown = { title: 'May', dateRange: may, createdAt: new Date(0), logo: null }
    const page = { ...shown, content: content as never }
    const { html } = await reportPage(page, null)
    expect(html).toContain('<dt>Answers</dt><dd>10 answers to 2 prompts, on 10 days,')
    expect(html).toContain('Few prompts were asked.')
    // As a version of before has frozen it.
    const { method: _method, ...earlier } = content as Record<string, unknown>
    await api.db.report.update({ where: { id }, data: { content: earlier as never } })
    expect((await ask(text)).data.project).toEqual({ report: { method: null } })
    const old = await reportPage({ ...page, content: earlier as never }, null)
    expect(old.html).not.toContain('<dt>Answers</dt>')
  })
})
