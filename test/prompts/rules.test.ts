import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { askingRest, outcomeOf, type PromptReply } from '../kit/prompts.ts'

/** Who may write prompts, when, and how many: what the four writes refuse, in which order, and what they record. */

const api = useApi()

let workspace: TestWorkspace
let key = { id: '', key: '' }
let project = ''
let prompt = ''
const rest = askingRest(
  api,
  () => project,
  () => key.key,
)
const ask = asking(api, () => key.key)

/** `starter` tracks 50 prompts. */
async function enter(plan: 'starter' | 'enterprise', options = {}): Promise<void> {
  workspace = await api.workspace(plan)
  key = await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })
  project = await workspace.project(options)
  const { body } = await rest('POST', '/prompts', { prompts: [{ text: 'first?' }] })
  prompt = body.prompts[0]?.id ?? ''
}

type Write = (more?: object, id?: string, as?: string) => Promise<PromptReply>

const send =
  (method: 'POST' | 'PATCH', tail: string, body: object): Write =>
  (more = {}, id = prompt, as = key.key) =>
    rest(method, `/prompts/${id}${tail}`, { ...body, ...more }, { as })

const writes = {
  add: ((more = {}, _id = '', as = key.key) =>
    rest('POST', '/prompts', { prompts: [{ text: 'more?', ...more }] }, { as })) as Write,
  update: send('PATCH', '', { text: 'other?' }),
  archive: send('POST', '/tracking', { action: 'archive' }),
  restore: send('POST', '/tracking', { action: 'restore' }),
  reword: send('POST', '/restore-wording', { revision: 1 }),
}
const all = Object.entries(writes)
const ofOne = all.filter(([name]) => name !== 'add')

const revision = async () => (await rest('GET', `/prompts/${prompt}`)).body.prompt.currentRevision

describe('a write of prompts', () => {
  beforeAll(() => enter('enterprise'))

  test.each(all)(
    '%s needs the capability: no scope but admin stands for it',
    async (_name, write) => {
      const as = async (options: Parameters<TestWorkspace['key']>[0]) =>
        outcomeOf(await write({}, prompt, (await workspace.key(options)).key))
      expect(await as({ scopes: ['read', 'write'] })).toBe('403 missing_scope')
      expect(await as({ scopes: ['read'] })).toBe('403 missing_scope')
      expect(await as({ scopes: [], capabilities: ['prompt:draft'] })).toBe('200 ok')
      expect(await as({ scopes: ['admin'] })).toBe('200 ok')
    },
  )

  test.each(ofOne)('%s finds prompts of the project alone', async (_name, write) => {
    const other = await workspace.project()
    const { id } = await api.db.prompt.create({ data: { projectId: other, text: 'x' } })
    for (const unknown of [id, randomUUID(), prompt.slice(0, 8), 'first%3F']) {
      expect(outcomeOf(await write({ expectedRevision: 9 }, unknown))).toBe('404 not_found')
    }
    expect(await api.db.prompt.findUnique({ where: { id } })).toMatchObject({
      currentRevision: 1,
    })
  })

  test.each(all)('%s works on a paused and an archived project', async (_name, write) => {
    for (const status of ['paused', 'archived'] as const) {
      await api.db.project.update({ where: { id: project }, data: { status } })
      expect(outcomeOf(await write())).toBe('200 ok')
    }
    await api.db.project.update({ where: { id: project }, data: { status: 'active' } })
  })

  test.each(all)('%s is forbidden on an inactive project', async (_name, write) => {
    await api.db.project.update({ where: { id: project }, data: { isActive: false } })
    expect(outcomeOf(await write())).toBe('403 forbidden')
    await api.db.project.update({ where: { id: project }, data: { isActive: true } })
  })

  test('the second prefix does the same', async () => {
    const before = await revision()
    const response = await fetch(`${api.url}/api/v1/projects/${project}/prompts/${prompt}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${key.key}`,
        'content-type': 'application/json',
        'if-match': `"${before}"`,
      },
      body: JSON.stringify({ isBranded: true }),
    })
    expect(await response.json()).toMatchObject({ prompt: { currentRevision: before + 1 } })
  })
})

describe('an inactive pitch project', () => {
  beforeAll(async () => {
    await enter('starter', { kind: 'pitch' })
    await api.db.project.update({ where: { id: project }, data: { isActive: false } })
    const data = Array.from({ length: 50 }, (_, i) => ({ projectId: project, text: `p${i}` }))
    await api.db.prompt.createMany({ data })
  })

  test.each(all)(
    'refuses to %s, before it looks at the revision or the allowance',
    async (_name, write) => {
      const refusal = '409 INACTIVE_PITCH_PROMPT_MUTATION'
      expect(outcomeOf(await write())).toBe(refusal)
      expect(outcomeOf(await write({ expectedRevision: 9 }))).toBe(refusal)
    },
  )

  test.each(ofOne)('a prompt that it lacks is not found: %s', async (_name, write) => {
    expect(outcomeOf(await write({}, randomUUID()))).toBe('404 not_found')
  })

  test('arguments come before all that, and reads work', async () => {
    expect(outcomeOf(await writes.add({ text: '' }))).toBe('400 invalid_argument prompts.0.text')
    expect(await revision()).toBe(1)
  })
})

describe('the allowance', () => {
  beforeEach(() => enter('starter'))

  const tracked = (count: number, more: object = {}) =>
    api.db.prompt.createMany({
      data: Array.from({ length: count }, (_, i) => ({
        projectId: project,
        text: `p${i}`,
        ...more,
      })),
    })
  const batch = (count: number) =>
    rest('POST', '/prompts', { prompts: Array.from({ length: count }, () => ({ text: 'x' })) })
  const usage = async () => (await rest('GET', '/usage')).body.quotas as { prompts: object }

  test('takes a batch whole or not at all', async () => {
    await tracked(43)
    const refused = await batch(7)
    expect(outcomeOf(refused)).toBe('403 quota_exceeded')
    expect(refused.body).toMatchObject({
      quotaExceeded: true,
      current: 44,
      limit: 50,
      requested: 7,
    })
    expect((await usage()).prompts).toEqual({ current: 44, limit: 50, resetsAt: null })
    expect((await batch(6)).body.created).toBe(6)
    expect((await usage()).prompts).toMatchObject({ current: 50 })
    const { data } = await ask(
      `mutation { addPrompts(projectId: "${project}", prompts: [{ text: "new" }]) {
        ... on QuotaExceeded { code used limit requested requiresUpgrade } } }`,
    )
    expect(data.addPrompts).toEqual({
      code: 'quota_exceeded',
      used: 50,
      limit: 50,
      requested: 1,
      requiresUpgrade: false,
    })
  })

  test('belongs to the workspace, and counts neither archived nor imported prompts', async () => {
    await tracked(60, { isTracked: false })
    await tracked(60, { isImported: true })
    const other = await workspace.project()
    await tracked(45, { projectId: other })
    expect((await batch(5)).body).toMatchObject({ code: 'quota_exceeded', current: 46 })
    expect((await batch(4)).body.created).toBe(4)
  })

  test('of a topic that is not there nothing is told: the topic comes first', async () => {
    await tracked(49)
    expect(outcomeOf(await writes.add({ topicIds: [randomUUID()] }))).toBe('404 not_found')
  })

  test('is asked again when a prompt is restored, but not for one that is tracked or imported', async () => {
    await tracked(49)
    const restore = (id: string) => writes.restore({}, id)
    expect(outcomeOf(await restore(prompt))).toBe('200 ok')
    const data = { projectId: project, text: 'x', isTracked: false }
    const archived = await api.db.prompt.create({ data })
    const imported = await api.db.prompt.create({ data: { ...data, isImported: true } })
    const refused = await restore(archived.id)
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', current: 50, requested: 1 })
    expect(await api.db.prompt.findUnique({ where: { id: archived.id } })).toMatchObject({
      isTracked: false,
      currentRevision: 1,
    })
    expect(outcomeOf(await restore(imported.id))).toBe('200 ok')
    expect(outcomeOf(await writes.archive())).toBe('200 ok')
    expect(outcomeOf(await restore(archived.id))).toBe('200 ok')
  })

  test('a stale revision is told before it', async () => {
    await tracked(50)
    await api.db.prompt.update({ where: { id: prompt }, data: { isTracked: false } })
    expect(outcomeOf(await writes.restore({ expectedRevision: 2 }))).toBe('409 stale_revision')
    expect(outcomeOf(await writes.restore({ expectedRevision: 1 }))).toBe('403 quota_exceeded')
  })
})

describe('the audit trail', () => {
  beforeEach(() => enter('enterprise'))

  test('tells each write with its key, and what was before and after', async () => {
    await writes.update({ keywordDifficulty: 7 })
    for (const write of [writes.archive, writes.archive, writes.restore]) await write()
    await writes.reword()
    await writes.update({ expectedRevision: 1 })
    const fields = 'action subjectType subjectId keyId before after'
    const { data } = await ask(
      `{ project(id: "${project}") { auditTrail { nodes { ${fields} } } } }`,
    )
    const { auditTrail: { nodes: entries } = { nodes: [] } } = data.project as {
      auditTrail?: { nodes: { action: string }[] }
    }
    const common = { subjectType: 'prompt', subjectId: prompt, keyId: key.id }
    const revised = (from: number) => [{ currentRevision: from }, { currentRevision: from + 1 }]
    const entry = (action: string, from: number, before: object, after: object) => ({
      ...common,
      action: `prompt.${action}`,
      before: { ...before, ...revised(from)[0] },
      after: { ...after, ...revised(from)[1] },
    })
    expect(entries.filter(({ action }) => action !== 'project.create')).toEqual([
      entry('restoreWording', 4, { text: 'other?' }, { text: 'first?' }),
      entry('restore', 3, { isTracked: false }, { isTracked: true }),
      entry('archive', 2, { isTracked: true }, { isTracked: false }),
      entry(
        'update',
        1,
        { text: 'first?', keywordDifficulty: null },
        { text: 'other?', keywordDifficulty: 7 },
      ),
      {
        ...common,
        action: 'prompt.add',
        before: null,
        after: { text: 'first?', isBranded: false, topicIds: [] },
      },
    ])
  })
})
