import { beforeAll, expect, test } from 'vitest'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, changesOf } from '../kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }
let project = ''

const ask = asking(api, () => admin.key)
const { change, faultOf, trail } = changesOf(ask, () => project)

const names = 'names { text match matchReason excludedPhrases answers: answerCount answersSetAside'
const samples = 'samples { before matched after counts setAside }'

/** Three answers: one names the brand On, one only has the word, one names Bose. */
beforeAll(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
  project = await workspace.project({
    name: 'On',
    domain: 'on.com',
    competitors: [{ name: 'Bose', domain: 'bose.com' }],
  })
  await workspace.load(project, [
    { collectedAt: '2025-05-10T08:00:00Z', text: 'Runners like On shoes.' },
    { collectedAt: '2025-05-11T08:00:00Z', text: 'On sale: put them on. Over-ear and On-ear.' },
    { collectedAt: '2025-05-12T08:00:00Z', text: 'Bose works on planes.' },
  ])
})

const visibility = async () => {
  const path = `/api/mcp/projects/${project}/visibility?from=2025-05-01&to=2025-05-31`
  const { summary } = (await (await api.get(path, admin.key)).json()) as {
    summary: { responsesWithBrand: number; totalMentions: number }
  }
  return summary
}

test('a name that is a short word counts only where it is spelled so', async () => {
  expect(await visibility()).toMatchObject({ responsesWithBrand: 1, totalMentions: 1 })
})

test('samples show what counts, and why the rest does not', async () => {
  const { data } = await ask(
    `{ project(id: "${project}") { brandMatches { answersSearched ${names} ${samples} } } } }`,
  )
  expect(data.project?.brandMatches).toEqual({
    answersSearched: 3,
    names: [
      {
        text: 'On',
        match: 'exact_case',
        matchReason: 'short',
        excludedPhrases: [],
        answers: 1,
        answersSetAside: 2,
        samples: [
          { before: 'Runners like', matched: 'On', after: 'shoes.', counts: true, setAside: null },
          {
            before: 'Bose works',
            matched: 'on',
            after: 'planes.',
            counts: false,
            setAside: 'case',
          },
          {
            before: '',
            matched: 'On',
            after: 'sale: put them on. Over-ear and On-ear.',
            counts: false,
            setAside: 'sentence_start',
          },
        ],
      },
      { text: 'on.com', match: 'any_case', matchReason: 'distinctive', ...nothing },
      {
        text: 'Bose',
        match: 'any_case',
        matchReason: 'distinctive',
        excludedPhrases: [],
        answers: 1,
        answersSetAside: 0,
        samples: [
          { before: '', matched: 'Bose', after: 'works on planes.', counts: true, setAside: null },
        ],
      },
      { text: 'bose.com', match: 'any_case', matchReason: 'distinctive', ...nothing },
    ],
  })
})

test('a word of another language counts in exact case in answers of that language', async () => {
  const id = await workspace.project({ name: 'Carrefour', domain: 'carrefour.fr' })
  const french = 'Pour votre maison nous vous conseillons de comparer les prix des magasins'
  await workspace.load(id, [
    { collectedAt: '2025-05-10T08:00:00Z', text: `${french} au prochain carrefour.` },
    { collectedAt: '2025-05-11T08:00:00Z', text: `${french} chez Carrefour.` },
    { collectedAt: '2025-05-12T08:00:00Z', text: 'I like the shops of carrefour, and the prices.' },
  ])
  const fields = 'text match matchReason exactCaseLanguages answers: answerCount answersSetAside'
  const { data } = await ask(`{ project(id: "${id}") { brandMatches { names { ${fields} } } } }`)
  const rule = { match: 'any_case', exactCaseLanguages: ['fr'], matchReason: 'foreign_word' }
  const counts = { answers: 2, answersSetAside: 1 }
  const domain = { text: 'carrefour.fr', match: 'any_case', matchReason: 'distinctive' }
  expect(data.project?.brandMatches).toEqual({
    names: [
      { text: 'Carrefour', ...rule, ...counts },
      { ...domain, exactCaseLanguages: [], answers: 0, answersSetAside: 0 },
    ],
  })
  const path = `/api/mcp/projects/${id}/visibility?from=2025-05-01&to=2025-05-31`
  const { summary } = (await (await api.get(path, admin.key)).json()) as {
    summary: { responsesWithBrand: number }
  }
  expect(summary.responsesWithBrand).toBe(2)
})

const nothing = { excludedPhrases: [], answers: 0, answersSetAside: 0, samples: [] }

test('a rule is set, shown with its effect, recorded, and counted after a reanalysis', async () => {
  const text = `mutation { setNameMatch(projectId: "${project}", match: any_case,
    excludedPhrases: ["on sale", "over-ear and on-ear", "put them on"]) {
    changed needsReanalysis ${names} } } }`
  const { data } = await ask(text)
  expect(data.setNameMatch).toEqual({
    changed: true,
    needsReanalysis: true,
    names: [
      {
        text: 'On',
        match: 'any_case',
        matchReason: 'chosen',
        excludedPhrases: ['on sale', 'over-ear and on-ear', 'put them on'],
        answers: 2,
        answersSetAside: 1,
      },
      { text: 'on.com', match: 'any_case', matchReason: 'distinctive', ...nothingCounted },
    ],
  })
  expect((await trail())[0]).toMatchObject({
    action: 'project.update',
    before: { text: 'On', caseSensitive: true, excludedPhrases: [] },
    after: { text: 'On', caseSensitive: false },
  })
  expect((await ask(text)).data.setNameMatch).toMatchObject({ changed: false })
  expect(await visibility()).toMatchObject({ responsesWithBrand: 1 })
  await reanalyze(api, { projectId: project })
  expect(await visibility()).toMatchObject({ responsesWithBrand: 2, totalMentions: 2 })
})

const nothingCounted = { excludedPhrases: [], answers: 0, answersSetAside: 0 }

test('a preview shows which counts would move, and moves none', async () => {
  const tried =
    'names: [{ match: null, excludedPhrases: [] }], competitors: [{ name: "Runners", domain: "runners.com" }]'
  const { data } = await ask(`{ project(id: "${project}") { previewReanalysis(${tried}) {
    answers: answerCount brands { name brand { name } isOwn before { answers: mentionedIn mentions: mentionCount } after { answers: mentionedIn mentions: mentionCount } } } } }`)
  expect(data.project?.previewReanalysis).toEqual({
    answers: 3,
    brands: [
      { name: 'On', brand: { name: 'On' }, isOwn: true, before: of(2, 2), after: of(1, 1) },
      { name: 'Bose', brand: { name: 'Bose' }, isOwn: false, before: of(1, 1), after: of(1, 1) },
      { name: 'Runners', brand: null, isOwn: false, before: of(0, 0), after: of(1, 1) },
    ],
  })
  expect(await visibility()).toMatchObject({ responsesWithBrand: 2, totalMentions: 2 })
})

const of = (answers: number, mentions: number) => ({ answers, mentions })

test('null lets the name decide, and another name starts without a rule', async () => {
  expect(await change('setNameMatch', 'match: null, excludedPhrases: []')).toMatchObject({
    changed: true,
  })
  await change('setNameMatch', 'match: any_case')
  await change('updateProject', 'name: "Onn", keepOldName: true')
  await change('updateProject', 'name: "On"')
  const row = await api.db.project.findUniqueOrThrow({ where: { id: project } })
  expect(row).toMatchObject({ caseSensitive: null, excludedPhrases: [] })
  const [alias] = await api.db.brandAlias.findMany({ where: { projectId: project } })
  expect(alias).toMatchObject({ text: 'On', caseSensitive: false })
})

test('aliases and competitors have rules of their own', async () => {
  const fields = 'brandAliases { nodes { text caseSensitive } }'
  const made = await change('addBrandAlias', 'text: "Cloud"', fields)
  expect(made?.project).toMatchObject({
    brandAliases: { nodes: [{ text: 'Cloud', caseSensitive: true }, { text: 'On' }] },
  })
  const { competitors } = await api.db.project.findUniqueOrThrow({
    where: { id: project },
    select: { competitors: true },
  })
  const rivalId = competitors[0]?.id
  const rival = `competitorId: "${rivalId}"`
  expect(await change('setNameMatch', `${rival}, match: exact_case`)).toMatchObject({
    subjectId: rivalId,
    changed: true,
  })
  await change('addCompetitorAlias', `${rival}, text: "QC"`)
  const rule = `${rival}, alias: "QC", excludedPhrases: ["QC department"]`
  expect(await change('setNameMatch', rule)).toMatchObject({ needsReanalysis: true })
  expect(await faultOf('setNameMatch', `${rival}, alias: "none"`)).toBe('not_found')
  expect(await faultOf('setNameMatch', 'alias: "none"')).toBe('not_found')
  expect(await faultOf('setNameMatch', 'competitorId: "none"')).toBe('not_found')
  expect(await faultOf('setNameMatch', 'excludedPhrases: [""]')).toBe(
    'invalid_argument excludedPhrases.0',
  )
})
