import { expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { answers, makeOpportunities } from '../kit/work/opportunities.ts'

const api = useApi()

test('what came of an opportunity is its metric before and after that day, and whether chance can have made the change', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  const own = 'Acme is good.'
  const before = { before: true, day: 20 }
  await workspace.load(project, [
    // From 10 to 30 of 40.
    ...answers(10, { prompt: 'moved', text: own }, before),
    ...answers(30, { prompt: 'moved' }, { before: true, day: 21 }),
    ...answers(30, { prompt: 'moved', text: own }, { day: 20 }),
    ...answers(10, { prompt: 'moved' }, { day: 21 }),
    // On the day itself, which counts for neither.
    ...answers(9, { prompt: 'moved', text: own }, { day: 10 }),
    // From 10 to 11 of 20.
    ...answers(10, { prompt: 'stayed', text: own }, before),
    ...answers(10, { prompt: 'stayed' }, { before: true, day: 21 }),
    ...answers(11, { prompt: 'stayed', text: own }, { day: 20 }),
    ...answers(9, { prompt: 'stayed' }, { day: 21 }),
  ])
  const idOf = async (text: string) =>
    (await api.db.prompt.findFirstOrThrow({ where: { projectId: project, text } })).id
  const completedAt = new Date('2025-05-10T12:00:00Z')
  const done = { status: 'completed' as const, completedAt }
  await makeOpportunities(api.db, project, [
    { ...done, subject: await idOf('moved'), score: 60 },
    { ...done, subject: await idOf('stayed'), score: 50 },
    { subject: await idOf('moved'), score: 40 },
  ])
  const ask = asking(api, () => key)
  const { data, errors } = await ask(`{ project(id: "${project}") {
    opportunities(filter: { statuses: [completed, active] }) { nodes {
      outcome { metric text change isSignificant before { value } after { numerator denominator } } } } } }`)
  expect(errors).toBeUndefined()
  const { opportunities } = data.project as { opportunities: { nodes: unknown[] } }
  expect(opportunities.nodes.map((node) => (node as { outcome: unknown }).outcome)).toEqual([
    {
      metric: 'visibility',
      text: '75% of 40 answers since then mention Acme, after 25% of 40 answers in the 30 days before: +50 points, more than normal variation.',
      change: 50,
      isSignificant: true,
      before: { value: 25 },
      after: { numerator: 30, denominator: 40 },
    },
    {
      metric: 'visibility',
      text: '55% of 20 answers since then mention Acme, after 50% of 20 answers in the 30 days before: +5 points, within normal variation.',
      change: 5,
      isSignificant: false,
      before: { value: 50 },
      after: { numerator: 11, denominator: 20 },
    },
    null,
  ])
})
