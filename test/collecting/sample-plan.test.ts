import { beforeAll, describe, expect, test } from 'vitest'
import { studentT } from '../../core/intervals/student-t.ts'
import { useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
let empty = ''
const ask = asking(api, () => key)

const window = 'window: { from: "2025-05-01", to: "2025-05-08" }'
const fields = `basis withinPrompts betweenPrompts changesOfPrompts prompts platforms answersPerPrompt
  questionsPerWeek detectablePoints intervalPoints target { points prompts answersPerPrompt runsPerWeek }`

/** Ten prompts with four answers each, on four days. Five name the brand in three of four answers, five in one. */
beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ name: 'Acme', domain: 'acme.com' })
  empty = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  const lines = Array.from({ length: 10 }, (_, prompt) =>
    [1, 3, 5, 7].map((day, at) => ({
      prompt: `question ${prompt}`,
      collectedAt: `2025-05-0${day}T08:00:00Z`,
      text: at < (prompt < 5 ? 3 : 1) ? 'Acme leads.' : 'Nobody leads.',
    })),
  )
  await workspace.load(project, lines.flat())
})

async function planOf(args = window, of = project) {
  const answer = await ask(`{ project(id: "${of}") { samplePlan(${args}) { ${fields} } } }`)
  expect(answer.errors).toBeUndefined()
  return (answer.data.project as { samplePlan: Record<string, unknown> }).samplePlan
}

describe('a sample plan', () => {
  test('measures the spreads within and between prompts', async () => {
    const plan = await planOf(`prompts: 40, repetitions: 2, runsPerWeek: 1, ${window}`)
    // Of four answers, one or three name the brand: 4 ⁄ 3 · 3 ⁄ 16 = 0.25 within each prompt.
    // Shares are 0.75 or 0.25: 10 ⁄ 9 · 0.0625 observed, less 0.25 ⁄ 4 by chance, is 0.00694 between.
    expect(plan).toMatchObject({
      basis: 'measured',
      withinPrompts: 50,
      betweenPrompts: 8.33,
      prompts: 40,
      platforms: 1,
      answersPerPrompt: 8,
      questionsPerWeek: 80,
    })
    // Each prompt falls by a half from one half of the window to the next: all alike, so that no spread is left.
    expect(plan.changesOfPrompts).toBe(0)
    const root = Math.sqrt((2 * 0.25) / 8 / 40)
    const quantiles = studentT(0.95, 39) + studentT(0.6, 39)
    expect(plan.detectablePoints).toBeCloseTo(100 * quantiles * root, 1)
    expect(plan.target).toMatchObject({ points: 5 })
  })

  test('says what alone detects the change, and more of it detects less', async () => {
    const args = `repetitions: 1, runsPerWeek: 7, ${window}`
    const { target } = (await planOf(`prompts: 50, ${args}`)) as {
      target: { prompts: number; runsPerWeek: number }
    }
    const atTarget = await planOf(`prompts: ${target.prompts}, ${args}`)
    expect(atTarget.detectablePoints).toBeLessThanOrEqual(5)
    const oneLess = await planOf(`prompts: ${target.prompts - 1}, ${args}`)
    expect(oneLess.detectablePoints).toBeGreaterThanOrEqual(5)
    const often = `prompts: 50, runsPerWeek: ${target.runsPerWeek}, ${window}`
    expect((await planOf(often)).detectablePoints).toBeLessThanOrEqual(5)
  })

  test('assumes spreads where no answers are, and plans the tracked prompts', async () => {
    // √0.147 and √0.063.
    expect(await planOf(window, empty)).toMatchObject({
      basis: 'assumed',
      withinPrompts: 38.34,
      betweenPrompts: 25.1,
      prompts: 0,
      detectablePoints: null,
      intervalPoints: null,
    })
  })

  test.each(['prompts: 0', 'repetitions: 21', 'runsPerWeek: 0', 'windowWeeks: 53', 'points: 51'])(
    'refuses %s',
    async (argument) => {
      const text = `{ project(id: "${project}") { samplePlan(${argument}) { prompts } } }`
      expect(faultIn(await ask(text))).toBe(`invalid_argument ${argument.split(':')[0]}`)
    },
  )
})
