import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Prisma } from '../../prisma/generated/client.ts'
import { publicSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
let empty = ''
let anvils = ''
let bolts = ''
let tools = ''
let berlin = ''
const ask = asking(api, () => key)

const fields = 'provider asked waiting answered absent failed refused filtered empty notShown'
const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

type Row = Partial<Prisma.AskUncheckedCreateInput> & { readonly day?: number }

/** A run of 30 April 2025, whose questions were asked on days of May. */
async function run(status: 'completed' | 'running' | 'failed', rows: readonly Row[]) {
  const asks = rows.map(({ day = 12, ...row }, at) => ({
    promptId: anvils,
    prompt: 'best anvils?',
    providerKeyId: project,
    repetition: at + 1,
    provider: 'openai' as const,
    platform: 'chatgpt',
    model: 'gpt-5-mini',
    askedAt: new Date(Date.UTC(2025, 4, day, 8)),
    ...row,
  }))
  await api.db.run.create({
    data: {
      projectId: project,
      status,
      repetitions: 9,
      createdAt: new Date('2025-04-30'),
      deadlineAt: new Date('2025-06-02'),
      asks: { create: asks },
    },
  })
}

/** A question of the prompt about bolts. */
const ofBolts = () => ({ promptId: bolts, prompt: 'best bolts?' })
const answered = { state: 'answered', outcome: 'answered' } as const
const sonar = { provider: 'perplexity', platform: 'perplexity', model: 'sonar' } as const

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  project = await workspace.project()
  empty = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  await workspace.load(project, [
    { collectedAt: '2025-05-10T08:00:00Z', citations: [{ url: 'https://acme.com/a' }] },
  ])
  const data = { projectId: project, isTracked: true }
  anvils = (await api.db.prompt.create({ data: { ...data, text: 'best anvils?' } })).id
  bolts = (await api.db.prompt.create({ data: { ...data, text: 'best bolts?' } })).id
  const topic = await api.db.topic.create({
    data: { projectId: project, name: 'Tools', prompts: { create: { promptId: anvils } } },
  })
  tools = topic.id
  const location = await api.db.location.create({
    data: { projectId: project, label: 'Berlin', countryCode: 'DE', city: 'Berlin' },
  })
  berlin = location.id
  const place = { countryCode: 'DE', city: 'Berlin', region: null }
  await run('completed', [
    { ...answered, day: 10, locationId: berlin, place },
    { ...answered, outcome: 'cut_off', day: 31 },
    { state: 'absent', outcome: 'refused' },
    { ...ofBolts(), state: 'absent', outcome: 'filtered' },
    { ...ofBolts(), state: 'failed' },
    { ...ofBolts(), ...sonar, ...answered },
    { ...ofBolts(), ...sonar, state: 'absent', outcome: 'empty' },
    { ...ofBolts(), ...sonar, state: 'absent', outcome: 'not_shown' },
    // Of April, and of June.
    { ...sonar, ...answered, askedAt: new Date('2025-04-30T23:59:59Z') },
    { ...sonar, ...answered, askedAt: new Date('2025-06-01T00:00:00Z') },
  ])
  await run('running', [
    { ...sonar, ...answered },
    { ...sonar, askedAt: null, endedAt: null },
  ])
  await run('failed', [{ ...sonar, ...answered }])
})

const zero = {
  asked: 0,
  waiting: 0,
  answered: 0,
  absent: 0,
  failed: 0,
  refused: 0,
  filtered: 0,
  empty: 0,
  notShown: 0,
}
const ofOpenai = {
  ...zero,
  provider: 'openai',
  asked: 5,
  answered: 2,
  absent: 2,
  failed: 1,
  refused: 1,
  filtered: 1,
}
const ofBerlin = { ...zero, provider: 'openai', asked: 1, answered: 1 }
const ofPerplexity = {
  ...zero,
  provider: 'perplexity',
  asked: 5,
  waiting: 1,
  answered: 1,
  absent: 2,
  failed: 1,
  empty: 1,
  notShown: 1,
}

async function coverage(args: string) {
  const text = `{ project(id: "${project}") { visibility(${args}) { coverage { ${fields} } } } }`
  const answer = await ask(text)
  expect(answer.errors).toBeUndefined()
  return (answer.data.project as { visibility: { coverage: object[] } }).visibility.coverage
}

describe('the coverage of a report', () => {
  test('counts the questions of its window by provider', async () => {
    expect(await coverage(window)).toEqual([ofOpenai, ofPerplexity])
  })

  test('counts the question of a run that has begun on the day of the run', async () => {
    const april = await coverage('window: { from: "2025-04-30", to: "2025-04-30" }')
    expect(april).toEqual([{ ...zero, provider: 'perplexity', asked: 2, waiting: 1, answered: 1 }])
  })

  test.each([
    ['platforms: ["perplexity"]', () => [ofPerplexity]],
    ['platforms: ["gpt-5"]', () => []],
    ['countries: ["DE"]', () => [ofBerlin]],
    ['countries: ["FR"]', () => []],
  ])('counts only questions that pass { %s }', async (filter, expected) => {
    expect(await coverage(`${window}, filter: { ${filter} }`)).toEqual(expected())
  })

  test('counts only the prompts of a topic, as a filter and as a slice', async () => {
    const ofTools = [
      { ...zero, provider: 'openai', asked: 3, answered: 2, absent: 1, refused: 1 },
      { ...zero, provider: 'perplexity', asked: 2, waiting: 1, failed: 1 },
    ]
    expect(await coverage(`${window}, filter: { topicIds: ["${tools}"] }`)).toEqual(ofTools)
    const text = `{ project(id: "${project}") {
      topics { nodes { visibility(${window}) { coverage { ${fields} } } } }
      prompts { nodes { text visibility(${window}) { coverage { provider asked } } } }
      platforms { nodes { id: slug visibility(${window}) { coverage { provider asked } } } }
    } }`
    const answer = await ask(text)
    expect(answer.errors).toBeUndefined()
    const { topics, prompts, platforms } = answer.data.project as Record<
      string,
      { nodes: Record<string, unknown>[] }
    >
    expect(topics?.nodes).toEqual([{ visibility: { coverage: ofTools } }])
    expect(prompts?.nodes).toContainEqual({
      text: 'best bolts?',
      visibility: {
        coverage: [
          { provider: 'openai', asked: 2 },
          { provider: 'perplexity', asked: 3 },
        ],
      },
    })
    expect(platforms?.nodes).toContainEqual({
      id: 'chatgpt',
      visibility: { coverage: [{ provider: 'openai', asked: 5 }] },
    })
    expect(platforms?.nodes).toContainEqual({ id: 'gemini', visibility: { coverage: [] } })
  })

  test('counts only the questions of a location, as a filter and as a slice', async () => {
    expect(await coverage(`${window}, filter: { locationIds: ["${berlin}"] }`)).toEqual([ofBerlin])
    const text = `{ project(id: "${project}") {
      locations { nodes { id visibility(${window}) { coverage { ${fields} } } } }
    } }`
    expect((await ask(text)).data.project).toEqual({
      locations: { nodes: [{ id: berlin, visibility: { coverage: [ofBerlin] } }] },
    })
  })

  test('is empty where no run asked', async () => {
    const text = `{ project(id: "${empty}") { visibility { coverage { asked } } } }`
    expect((await ask(text)).data.project).toEqual({ visibility: { coverage: [] } })
  })

  test('is null for answers that were chosen by what they say', async () => {
    const text = `{ project(id: "${project}") {
      sourceDomains(${window}) { nodes { domain answers(${window}) { coverage { asked } } } }
    } }`
    expect((await ask(text)).data.project).toEqual({
      sourceDomains: { nodes: [{ domain: 'acme.com', answers: { coverage: null } }] },
    })
  })
})

/** The reports of a project that need no argument, and count answers. */
const reports = Object.values((publicSchema.getType('Project') as GraphQLObjectType).getFields())
  .filter(({ args }) => args.every(({ type }) => !String(type).endsWith('!')))
  .filter(({ type }) => {
    const named = getNamedType(type)
    return (
      isObjectType(named) && 'coverage' in named.getFields() && 'dateRange' in named.getFields()
    )
  })
  .map(({ name }) => name)

test.each(reports)('%s has it', async (name) => {
  const text = `{ project(id: "${project}") { ${name}(${window}) { coverage { provider asked } } } }`
  const answer = await ask(text)
  expect(answer.errors).toBeUndefined()
  expect(answer.data.project).toEqual({
    [name]: {
      coverage: [
        { provider: 'openai', asked: 5 },
        { provider: 'perplexity', asked: 5 },
      ],
    },
  })
})

test('every kind of report on answers has it', () => {
  expect(reports.length).toBeGreaterThan(15)
})
