import { beforeAll, expect, test } from 'vitest'
import type { Table } from '../../mcp/table.ts'
import { type AnswerLine, type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { callTool, connect, recordsOf } from '../kit/tools.ts'
import { makeOpportunities } from '../kit/work/opportunities.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''
let project = ''
const promptIds: string[] = []

const day = (date: string, minute: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + minute * 60_000).toISOString()

/** Ten answers to a prompt before 10 May 2025, and ten after it. */
function answersTo(prompt: string, before: number, after: number): AnswerLine[] {
  const line = (date: string, i: number, isNamed: boolean): AnswerLine => ({
    prompt,
    text: isNamed ? 'Acme is good.' : 'Others are good.',
    collectedAt: day(date, i + 1),
    citations: [{ url: 'https://guide.example/best', position: 1 }],
  })
  return [
    ...Array.from({ length: 10 }, (_, i) => line('2025-05-01', i, i < before)),
    // Of the day itself, which belongs to neither.
    line('2025-05-10', 1, true),
    ...Array.from({ length: 10 }, (_, i) =>
      line(i < 5 ? '2025-05-12' : '2025-05-13', i, i % 5 < after / 2),
    ),
  ]
}

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  project = await workspace.project()
  // The concerned prompts rise by 60, 60, 60, 60 and 40 points; the others by 0, 0, 0, 0, 20 and -20.
  await workspace.load(project, [
    ...[2, 2, 2, 2, 4].flatMap((before, i) => answersTo(`own ${i}?`, before, 8)),
    ...[4, 4, 4, 4, 2, 6].flatMap((before, i) => answersTo(`other ${i}?`, before, 4)),
  ])
  const prompts = await api.db.prompt.findMany({
    where: { projectId: project, text: { startsWith: 'own' } },
  })
  promptIds.push(...prompts.map(({ id }) => id))
})

const graph = asking(api, () => key)

const add = (args: string) =>
  graph(`mutation { addMark(projectId: "${project}", ${args}) { changed mark {
    id kind title date url prompts { text } comparison { verdict } } } }`)

const remove = (id: string) =>
  graph(`mutation { removeMark(projectId: "${project}", markId: "${id}") { changed mark { id } } }`)

const comparison = `verdict text effect interval { low high } isSignificant shownOn since
  concerned { promptCount before after } others { promptCount before after }`

interface Added {
  readonly mark: { readonly id: string; readonly prompts: readonly { readonly text: string }[] }
}

test('the prompts that a mark concerns are compared with the others, after its day against before', async () => {
  const { data } = await add(
    `kind: page_published, title: "The guide", date: "2025-05-10", promptIds: ${JSON.stringify(promptIds)}`,
  )
  const { id } = (data.addMark as unknown as Added).mark
  const found = await graph(`{ project(id: "${project}") {
    mark(id: "${id}") { comparison { ${comparison} } citations: comparison(metric: citations) { effect } }
    marks { nodes { title date kind } } } }`)
  expect(found.errors).toBeUndefined()
  expect(found.data.project).toEqual({
    mark: {
      comparison: {
        verdict: 'rose',
        text: 'Visibility in 5 prompts rose from 24% to 80%: +56 points against 6 other prompts, between +40.9 and +71.1. Chance does not explain it. It probably began on 12 May 2025.',
        effect: 56,
        interval: { low: 40.94, high: 71.06 },
        isSignificant: true,
        shownOn: '2025-05-13',
        since: '2025-05-12',
        concerned: { promptCount: 5, before: 24, after: 80 },
        others: { promptCount: 6, before: 40, after: 40 },
      },
      citations: { effect: null },
    },
    marks: { nodes: [{ title: 'The guide', date: '2025-05-10', kind: 'page_published' }] },
  })
  // An AI client reads the same numbers.
  const asked = { project, report: 'marks' }
  const { structure } = await callTool(await connect(api.url, key), 'get_report', asked)
  expect(recordsOf(structure as unknown as Table)).toMatchObject([
    { mark_id: id, verdict: 'rose', effect_points: 56, low: 40.94, high: 71.06, prompts: 5 },
  ])
  expect((await remove(id)).data.removeMark).toEqual({ changed: true, mark: { id } })
  expect(faultIn(await remove(id))).toBe('not_found')
})

test('a mark with only an address concerns the prompts whose answers cited it before', async () => {
  const { data } = await add(
    'kind: source_won, title: "In the guide", date: "2025-05-10", url: "https://guide.example/best?utm_source=x"',
  )
  const { mark } = data.addMark as unknown as Added
  expect(mark).toMatchObject({
    url: 'https://guide.example/best',
    comparison: { verdict: 'not_comparable' },
  })
  expect(mark.prompts).toHaveLength(11)
  await remove(mark.id)
})

test.each([
  ['a day to come', 'date: "2999-01-01"', 'invalid_argument date'],
  ['no title', 'date: "2025-05-10", title: " "', 'invalid_argument title'],
  [
    'a prompt of nobody',
    `date: "2025-05-10", promptIds: ["00000000-0000-4000-8000-000000000000"]`,
    'invalid_argument promptIds',
  ],
  ['no address', 'date: "2025-05-10", url: "ftp://x"', 'invalid_argument url'],
])('%s is refused, and nothing is marked', async (_name, args, fault) => {
  const title = args.includes('title') ? '' : 'title: "Done", '
  expect(faultIn(await add(`kind: other, ${title}${args}`))).toBe(fault)
  expect(await api.db.mark.count({ where: { projectId: project } })).toBe(0)
})

test('an opportunity that is done is a mark, until it is opened again', async () => {
  const [id = ''] = await makeOpportunities(api.db, project, [{ subject: promptIds[0] ?? '' }])
  const change = (name: string) =>
    graph(`mutation { ${name}(projectId: "${project}", opportunityId: "${id}") { changed } }`)
  const marks = async () =>
    (await graph(`{ project(id: "${project}") { marks { nodes { date opportunity { id } } } } }`))
      .data.project?.marks
  await change('completeOpportunity')
  const today = new Date().toISOString().slice(0, 10)
  expect(await marks()).toEqual({ nodes: [{ date: today, opportunity: { id } }] })
  await change('reopenOpportunity')
  expect(await marks()).toEqual({ nodes: [] })
})
