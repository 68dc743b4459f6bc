import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import { sampled } from '../kit/soak.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })).key
})

beforeEach(async () => {
  project = await workspace.project({
    name: 'Google',
    domain: 'google.com',
    aliases: [{ text: 'GOOG', caseSensitive: true }],
    competitors: [{ name: 'Google Pixel', domain: 'pixel.com' }],
  })
})

const add = (...prompts: unknown[]) => rest('POST', '/prompts', { prompts })
const patch = (id: string, body: unknown, headers = {}) =>
  rest('PATCH', `/prompts/${id}`, body, { headers })
const track = (id: string, action: string, more = {}) =>
  rest('POST', `/prompts/${id}/tracking`, { action, ...more })
const reword = (id: string, revision: unknown, more = {}) =>
  rest('POST', `/prompts/${id}/restore-wording`, { revision, ...more })

async function added(text: string): Promise<string> {
  const { body } = await add({ text })
  return body.prompts[0]?.id ?? ''
}

const revisionsOf = async (id: string) =>
  (await rest('GET', `/prompts/${id}/revisions`)).body.revisions as { change: string }[]

const changesOf = async (id: string) => (await revisionsOf(id)).map(({ change }) => change)

const promptsOf = (projectId: string) => api.db.prompt.count({ where: { projectId } })

describe('adding prompts', () => {
  test('answers list items in the order asked for, tracked, at revision 1', async () => {
    const { status, body } = await add({ text: '  first?\n' }, { text: 'second?' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['prompts', 'created', 'success'])
    expect(body).toMatchObject({ created: 2, success: true })
    const common = { isTracked: true, currentRevision: 1, projectId: project, topics: [] }
    expect(body.prompts).toMatchObject([
      { text: 'first?', ...common },
      { text: 'second?', ...common },
    ])
    const list = await rest('GET', '/prompts')
    expect(list.body.prompts.toSorted((a, b) => a.text.localeCompare(b.text))).toEqual(body.prompts)
    expect(await revisionsOf(body.prompts[0]?.id ?? '')).toMatchObject([
      { revision: 1, text: 'first?', change: 'created' },
    ])
  })

  test('the same through GraphQL, and through the second prefix', async () => {
    const answer = await ask(
      `mutation { addPrompts(projectId: "${project}", prompts: [{ text: " a " }]) { created prompts { text isTracked } } }`,
    )
    expect(answer.data.addPrompts).toEqual({
      created: 1,
      prompts: [{ text: 'a', isTracked: true }],
    })
    const response = await fetch(`${api.url}/api/v1/projects/${project}/prompts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompts: [{ text: 'a' }] }),
    })
    expect(await response.json()).toMatchObject({ created: 1, success: true })
    expect(await promptsOf(project)).toBe(2)
  })

  test('takes over a prompt that came with answers, which keeps them', async () => {
    const collectedAt = '2025-05-10'
    await workspace.load(
      project,
      ['a?', 'b?'].map((prompt) => ({ prompt, topic: 'A', collectedAt })),
    )
    const imported = await api.db.prompt.findMany({ where: { projectId: project } })
    const idOf = (text: string) => imported.find((each) => each.text === text)?.id ?? ''
    await track(idOf('b?'), 'archive')
    const { id } = await api.db.topic.create({ data: { projectId: project, name: 'B' } })

    const { body } = await add({ text: ' a?', topicIds: [id], isBranded: true }, { text: 'new' })
    const topics = [{ name: 'A' }, { name: 'B' }]
    expect(body).toMatchObject({
      created: 2,
      prompts: [
        { id: idOf('a?'), isTracked: true, isBranded: true, currentRevision: 2, topics },
        { text: 'new', currentRevision: 1 },
      ],
    })
    const answer = await ask(
      `mutation { addPrompts(projectId: "${project}", prompts: [{ text: "b?" }]) { created existing { id } prompts { id isTracked isImported } } }`,
    )
    expect(answer.data.addPrompts).toEqual({
      created: 0,
      existing: [{ id: idOf('b?') }],
      prompts: [{ id: idOf('b?'), isTracked: true, isImported: false }],
    })
    expect(await changesOf(idOf('b?'))).toEqual(['unarchived', 'archived', 'created'])

    const day = `window: { from: "${collectedAt}", to: "${collectedAt}" }`
    const { data } = await ask(
      `{ project(id: "${project}") { promptsWithoutAnswers(${day}) { nodes { text } } } }`,
    )
    expect(data.project).toEqual({ promptsWithoutAnswers: { nodes: [{ text: 'new' }] } })
    // By the contract of REST other texts need not be unique.
    expect((await add({ text: 'a?' })).body.prompts[0]?.id).not.toBe(idOf('a?'))
  })

  test('keeps topics in the order given, each once', async () => {
    const [a, b] = await Promise.all(
      ['A', 'B'].map((name) => api.db.topic.create({ data: { projectId: project, name } })),
    )
    const [idA = '', idB = ''] = [a?.id, b?.id]
    const { body } = await add({ text: 'x', topicIds: [idB, idA.toUpperCase(), idB] })
    expect(body.prompts[0]).toMatchObject({
      topics: [
        { id: idB, name: 'B' },
        { id: idA, name: 'A' },
      ],
      topicId: idB,
      topicName: 'B',
    })
  })

  test('adds none when one topic is not of the project', async () => {
    const foreign = await api.db.topic.create({
      data: { projectId: await workspace.project(), name: 'A' },
    })
    for (const topicId of [foreign.id, 'A', '\0', '00000000-0000-4000-8000-000000000000']) {
      const reply = await add({ text: 'x' }, { text: 'y', topicIds: [topicId] })
      expect(outcomeOf(reply)).toBe('404 not_found')
    }
    expect(await promptsOf(project)).toBe(0)
  })

  test.each([
    ['Is Google good?', true],
    ['is google.com good?', true],
    ["what's GOOG at?", true],
    ['a goog of it', false],
    ['Google Pixel or iPhone?', false],
    ['googled it', false],
  ])('"%s" names the brand: %s', async (text, isBranded) => {
    const { body } = await add({ text }, { text, isBranded: !isBranded })
    expect(body.prompts).toMatchObject([{ isBranded }, { isBranded: !isBranded }])
  })

  test('counts characters after trimming, an emoji as one', async () => {
    const longest = '👟'.repeat(2000)
    expect((await add({ text: `\n${longest} ` })).body.prompts[0]?.text).toBe(longest)
    expect(outcomeOf(await add({ text: `${longest}.` }))).toBe(
      '400 invalid_argument prompts.0.text',
    )
  })

  test.each(
    sampled(
      [
        [{}, 'prompts'],
        [{ prompts: null }, 'prompts'],
        [{ prompts: [] }, 'prompts'],
        [{ prompts: 'x' }, 'prompts'],
        [{ prompts: Array.from({ length: 11 }, () => ({ text: 'x' })) }, 'prompts'],
        [{ prompts: [{ text: 'x' }, {}] }, 'prompts.1.text'],
        [{ prompts: [{ text: 'x' }, { text: ' \n ' }] }, 'prompts.1.text'],
        [{ prompts: [{ text: 5 }] }, 'prompts.0.text'],
        [{ prompts: [{ text: 'a\0b' }] }, 'prompts.0.text'],
        [{ prompts: [{ text: 'a\ud83d' }] }, 'prompts.0.text'],
        [{ prompts: [{ text: 'x', isBranded: null }] }, 'prompts.0.isBranded'],
        [{ prompts: [{ text: 'x', isBranded: 'true' }] }, 'prompts.0.isBranded'],
        [{ prompts: [{ text: 'x', topicIds: null }] }, 'prompts.0.topicIds'],
        [{ prompts: [{ text: 'x', topicIds: [5] }] }, 'prompts.0.topicIds.0'],
        [{ prompts: [{ text: '' }, { text: '' }] }, 'prompts.0.text prompts.1.text'],
      ],
      4,
    ),
  )('%j is refused by name, and adds none', async (body, fields) => {
    expect(outcomeOf(await rest('POST', '/prompts', body))).toBe(`400 invalid_argument ${fields}`)
    expect(await promptsOf(project)).toBe(0)
  })

  test('GraphQL names the field too, and ten are no too many', async () => {
    const call = (n: number, text: string) => {
      const prompts = Array.from({ length: n }, () => `{ text: ${JSON.stringify(text)} }`)
      return `mutation { addPrompts(projectId: "${project}", prompts: [${prompts}]) { created } }`
    }
    expect(faultIn(await ask(call(1, ' ')))).toBe('invalid_argument prompts.0.text')
    expect(faultIn(await ask(call(11, 'x')))).toBe('invalid_argument prompts')
    expect((await ask(call(10, 'x'))).data.addPrompts).toEqual({ created: 1 })
  })

  test('unknown fields are left out', async () => {
    const reply = await add({ text: 'x', isTracked: false, id: 'mine', currentRevision: 9 })
    expect(reply.body.prompts[0]).toMatchObject({ isTracked: true, currentRevision: 1 })
  })
})

describe('a batch of which the store refuses some', () => {
  const planted = `prompts_planted_${Date.now()}`

  beforeAll(async () => {
    await api.db.$executeRawUnsafe(
      `CREATE FUNCTION ${planted}() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF NEW.text LIKE 'cut%' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
         RAISE EXCEPTION 'planted';
       END $$`,
    )
    await api.db.$executeRawUnsafe(
      `CREATE TRIGGER ${planted} BEFORE INSERT ON "PromptRevision" FOR EACH ROW
       WHEN (NEW.text LIKE '% ${planted}') EXECUTE FUNCTION ${planted}()`,
    )
    return async () => {
      await api.db.$executeRawUnsafe(`DROP FUNCTION ${planted} CASCADE`)
    }
  })

  const refused = { text: `refuse ${planted}` }

  test('makes the others, whole, and says so', async () => {
    const { status, body } = await add({ text: 'a' }, refused, { text: 'b' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      prompts: [{ text: 'a' }, { text: 'b' }],
      created: 2,
      success: false,
    })
    expect(await promptsOf(project)).toBe(2)
    const trail = await api.db.auditEntry.findMany({ where: { projectId: project } })
    expect(trail.filter(({ action }) => action === 'prompt.add')).toHaveLength(2)
  })

  test('under an idempotency key says the same again', async () => {
    const headers = { 'idempotency-key': 'partial' }
    const send = () => rest('POST', '/prompts', { prompts: [{ text: 'a' }, refused] }, { headers })
    const first = await send()
    expect(first.body).toMatchObject({ created: 1, success: false })
    const second = await send()
    expect(second.headers.get('x-idempotent-replay')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(await promptsOf(project)).toBe(1)
  })

  test('makes none where the store goes away meanwhile, and works when it is back', async () => {
    const cut = { text: `cut ${planted}` }
    for (const prompts of [[{ text: 'a' }, cut, { text: 'b' }], [cut], [{ text: 'a' }, cut]]) {
      const reply = await add(...prompts)
      expect(outcomeOf(reply)).toBe('502 internal_error')
      expect(reply.body.retryable).toBe(true)
    }
    expect(await promptsOf(project)).toBe(0)
    expect((await add({ text: 'a' })).body.created).toBe(1)
  })

  test('makes none where all fail, and is a problem without words of the store', async () => {
    const reply = await add(refused, refused)
    expect(outcomeOf(reply)).toBe('500 internal_error')
    expect(JSON.stringify(reply.body)).not.toContain('planted')
    expect(await promptsOf(project)).toBe(0)
  })
})

describe('changing a prompt', () => {
  test('changes what is given, adds 1, and answers the record', async () => {
    const id = await added('old?')
    const change = {
      text: ' new? ',
      intentCategory: 'transactional',
      isBranded: true,
      keywordSearchVolume: 0,
      keywordDifficulty: 100,
    }
    const { status, body } = await patch(id, change, { 'if-match': '"1"' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['prompt', 'success'])
    const record = (await rest('GET', `/prompts/${id}`)).body.prompt
    expect(body).toEqual({ prompt: record, success: true })
    expect(record).toMatchObject({ ...change, text: 'new?', currentRevision: 2, isTracked: true })
    expect(await revisionsOf(id)).toMatchObject([
      { revision: 2, text: 'new?', change: 'edited' },
      { revision: 1, text: 'old?', change: 'created' },
    ])
    const [item] = (await rest('GET', '/prompts')).body.prompts
    expect(item).toMatchObject({ isCustomized: true })
  })

  test('a metric alone keeps the wording and its date, and is a revision of its own', async () => {
    const id = await added('a?')
    const before = await api.db.prompt.findUniqueOrThrow({ where: { id } })
    expect((await patch(id, { keywordDifficulty: 5 })).body.prompt).toMatchObject({
      currentRevision: 2,
    })
    const after = await api.db.prompt.findUniqueOrThrow({ where: { id } })
    expect(after.textChangedAt).toEqual(before.textChangedAt)
    expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime())
    expect(await revisionsOf(id)).toMatchObject([{ revision: 2, text: 'a?' }, { revision: 1 }])
  })

  test('equal values add 1; nothing known adds 0, but must not be stale', async () => {
    const id = await added('a?')
    expect((await patch(id, { text: 'a?' })).body.prompt.currentRevision).toBe(2)
    for (const body of [{}, { unknown: 1 }, { isTracked: false }, { expectedRevision: 2 }]) {
      const { status, body: answer } = await patch(id, body)
      expect([status, answer.prompt.currentRevision]).toEqual([200, 2])
    }
    expect((await rest('PATCH', `/prompts/${id}`)).body.prompt.currentRevision).toBe(2)
    expect(outcomeOf(await patch(id, {}, { 'if-match': '"1"' }))).toBe('409 stale_revision')
    expect(await changesOf(id)).toEqual(['edited', 'created'])
  })

  test('a stale revision is told the current one, and overwrites nothing, at both doors', async () => {
    const id = await added('a?')
    await patch(id, { text: 'b?' })
    for (const reply of [
      await patch(id, { text: 'c?', expectedRevision: 1 }),
      await patch(id, { text: 'c?' }, { 'if-match': '"7"' }),
      await track(id, 'archive', { expectedRevision: 1 }),
      await reword(id, 1, { expectedRevision: 1 }),
    ]) {
      expect(outcomeOf(reply)).toBe('409 stale_revision')
      expect(reply.body.currentRevision).toBe(2)
    }
    const { data } = await ask(
      `mutation { updatePrompt(projectId: "${project}", promptId: "${id}", text: "c?", expectedRevision: 1) {
        ... on StaleRevision { code currentRevision current { id text } } } }`,
    )
    expect(data.updatePrompt).toEqual({
      code: 'stale_revision',
      currentRevision: 2,
      current: { id, text: 'b?' },
    })
    expect((await rest('GET', `/prompts/${id}`)).body.prompt).toMatchObject({ text: 'b?' })
    expect(await changesOf(id)).toEqual(['edited', 'created'])
  })

  test.each(
    sampled(
      [
        ['text', [null, '', ' ', 5, 'x'.repeat(2001), '\0', '\udc00']],
        ['intentCategory', [null, '', 'Commercial', 5]],
        ['isBranded', [null, 'true', 1]],
        ['keywordSearchVolume', [null, -1, -0.1, 2 ** 31, '5']],
        ['keywordDifficulty', [null, -1, -0.1, 101, '5']],
        ['expectedRevision', [null, 0, -1, 1.5, '1', 2 ** 31]],
      ],
      2,
    ),
  )('a bad %s is refused by name, and changes nothing', async (field, values) => {
    const id = await added('a?')
    for (const value of values) {
      const reply = await patch(id, { isBranded: true, [field]: value })
      expect(outcomeOf(reply)).toBe(`400 invalid_argument ${field}`)
    }
    expect((await rest('GET', `/prompts/${id}`)).body.prompt).toMatchObject({
      isBranded: false,
      currentRevision: 1,
    })
  })
})

describe('tracking', () => {
  test('archives and restores; twice changes nothing; answers stay counted', async () => {
    await workspace.load(project, [{ prompt: 'a?', text: 'Google.', collectedAt: '2025-05-10' }])
    const { id } = await api.db.prompt.findFirstOrThrow({ where: { projectId: project } })
    const states: unknown[] = []
    for (const action of ['archive', 'archive', 'restore', 'restore']) {
      const { status, body } = await track(id, action)
      expect([status, body.success]).toEqual([200, true])
      states.push([body.prompt.isTracked, body.prompt.currentRevision])
      const range = 'from=2025-05-01&to=2025-05-31'
      const summary = (await rest('GET', `/visibility?${range}`)).body.summary
      expect(summary).toMatchObject({ totalResponses: 1, responsesWithBrand: 1 })
    }
    expect(states).toEqual([
      [false, 2],
      [false, 2],
      [true, 3],
      [true, 3],
    ])
    expect(await changesOf(id)).toEqual(['unarchived', 'archived', 'created'])
  })

  test.each([{}, { action: null }, { action: 'delete' }, { action: ['archive'] }])(
    '%j is refused by name',
    async (body) => {
      const id = await added('a?')
      const reply = await rest('POST', `/prompts/${id}/tracking`, body)
      expect(outcomeOf(reply)).toBe('400 invalid_argument action')
    },
  )
})

describe('restoring a wording', () => {
  test('gives the text back as a new revision, and nothing else', async () => {
    const id = await added('first?')
    await patch(id, { text: 'second?', isBranded: true })
    const { body } = await reword(id, 1, { expectedRevision: 2 })
    expect(body).toMatchObject({
      prompt: { text: 'first?', isBranded: true, currentRevision: 3 },
      success: true,
    })
    expect(await changesOf(id)).toEqual(['restored', 'edited', 'created'])
    expect((await rest('GET', '/prompts')).body.prompts[0]).toMatchObject({ isCustomized: false })
  })

  test('a revision that it never had is not found, one that is no number refused', async () => {
    const id = await added('first?')
    for (const revision of [0, 2]) {
      expect(outcomeOf(await reword(id, revision))).toBe('404 not_found')
    }
    for (const revision of [-1, '1', null, 1.5, 2 ** 31, undefined]) {
      expect(outcomeOf(await reword(id, revision))).toBe('400 invalid_argument revision')
    }
    expect(await changesOf(id)).toEqual(['created'])
  })

  test('an imported answer finds the prompt by any wording that it ever had', async () => {
    const id = await added('first?')
    await patch(id, { text: 'second?' })
    await patch(id, { text: 'third?' })
    await reword(id, 2)
    const lines = ['first?', 'second?', 'third?'].map((prompt, run) => ({ prompt, run }))
    expect(await workspace.load(project, lines)).toMatchObject({ loaded: 3 })
    expect(await promptsOf(project)).toBe(1)
  })
})
