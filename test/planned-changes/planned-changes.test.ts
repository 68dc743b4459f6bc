import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { plannedActions } from '../../core/planned-changes.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'

const api = useApi()

let workspace: TestWorkspace
let project = ''
/** May do all that a connected AI client may. */
let key = ''
/** The browser of the owner. */
let person = ''

beforeAll(async () => {
  workspace = await api.workspace('growth')
  key = (await workspace.key({ scopes: ['read', 'write'], capabilities: ['prompt:draft'] })).key
  person = await workspace.session()
})

beforeEach(async () => {
  project = await workspace.project()
})

const fields =
  'id status summary lines { label before after } notes costUsd allowance { name before after limit } result link client'

type Answer = Record<string, unknown> & { readonly id: string }

async function sent(query: string, by: string, variables: object = {}): Promise<Answer> {
  const reply = (await (await api.graphql(query, by, variables)).json()) as {
    data?: { of: Answer } | null
    errors?: unknown
  }
  expect(reply.errors).toBeUndefined()
  return reply.data?.of as Answer
}

const plan = (action: string, input: object, { by = key, of = project } = {}) =>
  sent(
    `mutation ($input: JSON!) { of: planChange(projectId: "${of}", action: ${action}, input: $input) { ${fields} } }`,
    by,
    { input },
  )

const act = (mutation: string, id: string, { by = key, of = project, more = '' } = {}) =>
  sent(
    `mutation { of: ${mutation}(projectId: "${of}", changeId: "${id}"${more}) { ${fields} } }`,
    by,
  )

const found = async (id: string, by = person) => {
  const query = `{ project(id: "${project}") { plannedChange(id: "${id}") { status canDecide } } }`
  const reply = await (await api.graphql(query, by)).json()
  return (reply as { data: { project: { plannedChange: Answer } } }).data.project.plannedChange
}

const approve = (id: string) => act('approveChange', id, { by: person })
const apply = (id: string) => act('applyChange', id)

const texts = async () =>
  (await api.db.prompt.findMany({ where: { projectId: project } })).map(({ text }) => text).sort()

describe('a plan', () => {
  test('says what the change would do, and changes nothing', async () => {
    const entries = () => api.db.auditEntry.count({ where: { projectId: project } })
    const before = await entries()
    const planned = await plan('add_prompts', {
      prompts: [{ text: 'best earbuds' }, { text: 'best headphones for travel' }],
    })
    expect(planned).toMatchObject({
      status: 'waiting',
      summary: 'Add 2 prompts.',
      lines: [
        { label: 'Prompt', before: null, after: 'best earbuds' },
        { label: 'Prompt', before: null, after: 'best headphones for travel' },
      ],
      allowance: { name: 'prompts' },
      result: null,
    })
    const { before: used, after } = planned.allowance as { before: number; after: number }
    expect(after - used).toBe(2)
    expect(await texts()).toEqual([])
    expect(await entries()).toBe(before)
  })

  test('names each value that it changes, with the one before', async () => {
    const added = await plan('add_prompts', { prompts: [{ text: 'best earbuds' }] })
    await approve(added.id)
    const { result } = await apply(added.id)
    const [prompt] = (result as { prompts: { id: string }[] }).prompts
    const planned = await plan('update_prompt', {
      promptId: prompt?.id,
      text: 'best cheap earbuds',
    })
    expect(planned.lines).toEqual([
      { label: 'Text', before: 'best earbuds', after: 'best cheap earbuds' },
    ])
    const paused = await plan('archive_prompt', { promptId: prompt?.id })
    expect(paused.lines).toEqual([
      { label: 'Prompt', before: 'best earbuds', after: 'best earbuds' },
      { label: 'Asked in new runs', before: 'yes', after: 'no' },
    ])
    expect(await plan('restore_prompt', { promptId: prompt?.id })).toMatchObject({
      notes: ['Nothing changes: it has this state already.'],
    })
  })

  test.each([
    ['add_prompts', { prompt: 'x' }, 'input.prompt'],
    ['add_prompts', {}, 'input.prompts'],
    ['add_prompts', { prompts: [{ text: 7 }] }, 'prompts'],
    ['add_prompts', { prompts: [{ text: 'a', projectId: 'b' }] }, 'prompts'],
    ['update_prompt', { promptId: 'x', expectedRevision: 1 }, 'input.expectedRevision'],
    ['create_report', { reportType: 'visibility', share: true }, 'input.share'],
    ['archive_prompt', { promptId: 'x', action: 'restore' }, 'input.action'],
    ['refresh_sitemap', { projectId: 'other' }, 'input.projectId'],
  ])('%s of %j is refused, and names the field', async (action, input, field) => {
    const refused = await plan(action, input)
    expect(refused).toMatchObject({ code: 'invalid_argument' })
    expect(JSON.stringify(refused)).toContain(field)
    expect(await api.db.plannedChange.count({ where: { projectId: project } })).toBe(0)
  })

  test('needs the right of the change', async () => {
    const reader = (await workspace.key({ scopes: ['read'] })).key
    const prompts = [{ text: 'best earbuds' }]
    for (const [action, input] of [
      ['add_prompts', { prompts }],
      ['create_audit', {}],
    ] as const) {
      expect(await plan(action, input, { by: reader })).toMatchObject({ code: 'missing_scope' })
    }
    // Only a key with `admin` adds a topic, and no connected client has it.
    expect(await plan('add_topic', { name: 'Sound' })).toMatchObject({ code: 'missing_scope' })
    const bound = await workspace.key({ scopes: ['read', 'write'], projectId: project })
    const other = await workspace.project()
    expect(await plan('create_audit', {}, { by: bound.key, of: other })).toMatchObject({
      code: 'not_found',
    })
  })

  test('is made and undone for each action', async () => {
    const admin = (await workspace.key({ scopes: ['admin'] })).key
    const [prompt] = await addPrompts('best earbuds')
    await api.db.page.create({ data: pageOf(project) })
    const known: Record<string, object> = {
      add_prompts: { prompts: [{ text: 'another' }] },
      update_prompt: { promptId: prompt, isBranded: true },
      archive_prompt: { promptId: prompt },
      restore_prompt: { promptId: prompt },
      add_topic: { name: 'Sound' },
      add_competitor: { name: 'Bose', domain: 'bose.com', aliases: [{ text: 'Bose Inc' }] },
      create_report: { reportType: 'visibility', title: 'For Monday' },
      create_audit: { maxPages: 1 },
      refresh_sitemap: {},
    }
    const nothing = '00000000-0000-4000-8000-000000000000'
    const unknown: Record<string, object> = {
      run_schedule: { scheduleId: nothing },
      complete_opportunity: { opportunityId: nothing },
      dismiss_opportunity: { opportunityId: nothing, reason: 'no' },
      ignore_issue: { issueId: nothing, reason: 'no' },
    }
    expect([...Object.keys(known), ...Object.keys(unknown)].sort()).toEqual(
      [...plannedActions].sort(),
    )
    const state = async () => [
      await texts(),
      await api.db.topic.count({ where: { projectId: project } }),
      await api.db.competitor.count({ where: { projectId: project } }),
      await api.db.report.count({ where: { projectId: project } }),
      await api.db.audit.count({ where: { projectId: project } }),
      await api.db.auditEntry.count({ where: { projectId: project } }),
    ]
    const before = await state()
    for (const [action, input] of Object.entries(known)) {
      const planned = await plan(action, input, { by: admin })
      expect(planned, action).toMatchObject({ status: 'waiting', summary: expect.any(String) })
    }
    for (const [action, input] of Object.entries(unknown)) {
      expect(await plan(action, input, { by: admin }), action).toMatchObject({ code: 'not_found' })
    }
    expect(await state()).toEqual(before)
  })
})

async function addPrompts(...wanted: string[]): Promise<string[]> {
  const planned = await plan('add_prompts', { prompts: wanted.map((text) => ({ text })) })
  await approve(planned.id)
  const { result } = await apply(planned.id)
  return (result as { prompts: { id: string }[] }).prompts.map(({ id }) => id)
}

const pageOf = (projectId: string) => ({
  projectId,
  url: 'https://acme.com/',
  address: 'https://acme.com/',
  slug: '/',
  type: 'other',
  title: 'Acme',
  description: '',
})

describe('an approval', () => {
  test('is a person’s, in the dashboard: no key gives it', async () => {
    const { id } = await plan('add_prompts', { prompts: [{ text: 'best earbuds' }] })
    const admin = (await workspace.key({ scopes: ['admin'] })).key
    for (const by of [key, admin]) {
      expect(await act('approveChange', id, { by })).toMatchObject({ code: 'forbidden' })
    }
    expect(await apply(id)).toMatchObject({ code: 'change_not_approved' })
    expect(await texts()).toEqual([])
    expect(await approve(id)).toMatchObject({ status: 'approved' })
    expect(await apply(id)).toMatchObject({ status: 'applied' })
    expect(await texts()).toEqual(['best earbuds'])
  })

  test('is of who may make the change: not of a viewer, and not of another workspace', async () => {
    const { id } = await plan('add_prompts', { prompts: [{ text: 'best earbuds' }] })
    const stranger = await (await api.workspace()).session()
    expect(await act('approveChange', id, { by: stranger })).toMatchObject({ code: 'forbidden' })
    const owner = await api.db.membership.findFirstOrThrow({
      where: { workspaceId: workspace.id, role: 'owner' },
    })
    const asOf = (role: 'viewer' | 'owner') =>
      api.db.membership.updateMany({ where: { userId: owner.userId }, data: { role } })
    await asOf('viewer')
    onTestFinished(async () => void (await asOf('owner')))
    expect(await found(id)).toMatchObject({ status: 'waiting', canDecide: false })
    expect(await approve(id)).toMatchObject({ code: 'forbidden' })
    expect(await act('refuseChange', id, { by: person })).toMatchObject({ code: 'forbidden' })
    await asOf('owner')
    expect(await found(id)).toMatchObject({ canDecide: true })
    expect(await found(id, key)).toMatchObject({ canDecide: false })
    expect(await apply(id)).toMatchObject({ code: 'change_not_approved' })
  })

  test('can be taken back until the change is applied', async () => {
    const { id } = await plan('add_prompts', { prompts: [{ text: 'best earbuds' }] })
    await approve(id)
    expect(await act('refuseChange', id, { by: person })).toMatchObject({ status: 'refused' })
    expect(await apply(id)).toMatchObject({ code: 'change_over' })
    expect(await approve(id)).toMatchObject({ code: 'change_over' })
    expect(await texts()).toEqual([])
  })
})

describe('a change is applied', () => {
  test('once, however often and however many at a time it is asked for', async () => {
    const { id } = await plan('add_prompts', { prompts: [{ text: 'best earbuds' }] })
    await approve(id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => apply(id)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 'applied' })
    expect(await texts()).toEqual(['best earbuds'])
    // Also where the person confirms it again in the client.
    expect(await act('applyChange', id, { more: ', isConfirmed: true' })).toEqual(answers[0])
    expect(await texts()).toEqual(['best earbuds'])
  })

  test('by the key that planned it alone', async () => {
    const { id } = await plan('add_prompts', { prompts: [{ text: 'best earbuds' }] })
    await approve(id)
    const other = await workspace.key({ scopes: ['read', 'write'], capabilities: ['prompt:draft'] })
    expect(await act('applyChange', id, { by: other.key })).toMatchObject({ code: 'not_found' })
    const elsewhere = await workspace.project()
    expect(await act('applyChange', id, { of: elsewhere })).toMatchObject({ code: 'not_found' })
    expect(await texts()).toEqual([])
  })

  test('within 10 minutes', async () => {
    const { id } = await plan('add_prompts', { prompts: [{ text: 'best earbuds' }] })
    await approve(id)
    const expiresAt = new Date(Date.now() - 1)
    await api.db.plannedChange.update({ where: { id }, data: { expiresAt } })
    expect(await apply(id)).toMatchObject({ code: 'change_over' })
    expect(await texts()).toEqual([])
  })

  test('only as the person saw it: not where the project has changed since', async () => {
    const { id } = await plan('add_prompts', { prompts: [{ text: 'a one' }, { text: 'a two' }] })
    await approve(id)
    await addPrompts('a one')
    expect(await found(id)).toMatchObject({ status: 'approved' })
    expect(await apply(id)).toMatchObject({ code: 'change_stale' })
    expect(await found(id)).toMatchObject({ status: 'stale' })
    expect(await texts()).toEqual(['a one'])

    const [prompt = ''] = await addPrompts('best earbuds')
    const changed = await plan('update_prompt', { promptId: prompt, text: 'best cheap earbuds' })
    await approve(changed.id)
    const first = await plan('update_prompt', { promptId: prompt, text: 'best loud earbuds' })
    await approve(first.id)
    await apply(first.id)
    expect(await apply(changed.id)).toMatchObject({ code: 'change_stale' })
    expect(await texts()).toEqual(['a one', 'best loud earbuds'])
  })

  test('by a key that still has the right, and the trail says who approved it', async () => {
    const made = await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })
    const input = { prompts: [{ text: 'best earbuds' }] }
    const { id } = await plan('add_prompts', input, { by: made.key })
    await approve(id)
    await act('applyChange', id, { by: made.key })
    const entries = await api.db.auditEntry.findMany({
      where: { projectId: project },
      orderBy: { id: 'asc' },
    })
    const { userId } = await api.db.apiKey.findUniqueOrThrow({ where: { id: made.id } })
    expect(entries.slice(-3).map(({ action, keyId }) => [action, keyId])).toEqual([
      ['plannedChange.approve', expect.any(String)],
      ['prompt.add', made.id],
      ['plannedChange.apply', made.id],
    ])
    expect(entries.at(-3)).toMatchObject({ userId })
    expect(entries.at(-3)?.keyId).not.toBe(made.id)
    expect(entries.at(-1)?.after).toMatchObject({ approved: 'dashboard' })
  })
})

test('the same over /api/graph', async () => {
  const ask = async (path: string, body: object, by = key) =>
    (
      await fetch(`${api.url}/api/graph/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
        body: JSON.stringify({ projectId: project, ...body }),
      })
    ).json() as Promise<Answer>
  const input = { prompts: [{ text: 'best earbuds' }] }
  const planned = await ask('plan-change', { action: 'add_prompts', input })
  expect(planned).toMatchObject({ summary: 'Add the prompt “best earbuds”.', status: 'waiting' })
  const applied = await ask('apply-change', { changeId: planned.id, isConfirmed: true })
  expect(applied).toMatchObject({ status: 'applied' })
  expect(await texts()).toEqual(['best earbuds'])
})
