import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { questionKey } from '../../core/question.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { importCsv, promptState } from '../kit/imports/prompts.ts'
import { patiently } from '../kit/prompts.ts'

const api = useApi()
const nothing = { created: 0, updated: 0, unchanged: 0, repeated: 0 }
const clean = { ...nothing, rejected: [], ignoredColumns: [] }

let workspace: TestWorkspace
let project = ''

beforeAll(async () => {
  workspace = await api.workspace()
})

beforeEach(async () => {
  project = await workspace.project({ aliases: [{ text: 'Acme Sound' }] })
})

const load = (csv: string | Buffer) => importCsv(api, project, csv)
const state = () => promptState(api.db, project)
const bare = {
  intent: null,
  branded: false,
  tracked: true,
  volume: null,
  difficulty: null,
  revision: 1,
  topics: [] as string[],
  changes: ['created'],
}
const audit = () =>
  api.db.auditEntry.findMany({
    where: { projectId: project, action: { startsWith: 'prompt' } },
    select: { action: true, subjectType: true, subjectId: true, before: true, after: true },
    orderBy: { id: 'asc' },
  })

const four = `text,topic,intent,branded,volume,difficulty,tracked
"best headphones, cheap?",Headphones,commercial,,1200,34,
Is Acme Sound good?,Brand,Informational,,,,no
what is ANC?,Headphones,,yes,0,0,yes
plain
`.replace('\nplain\n', '\nplain,,,,,,\n')

describe('four lines', () => {
  const made = [
    {
      ...bare,
      text: 'Is Acme Sound good?',
      intent: 'informational',
      branded: true,
      tracked: false,
      topics: ['0 Brand'],
    },
    {
      ...bare,
      text: 'best headphones, cheap?',
      intent: 'commercial',
      volume: 1200,
      difficulty: 34,
      topics: ['0 Headphones'],
    },
    { ...bare, text: 'plain' },
    {
      ...bare,
      text: 'what is ANC?',
      branded: true,
      volume: 0,
      difficulty: 0,
      topics: ['0 Headphones'],
    },
  ]

  test('make four prompts with what they say, in one entry of the audit trail', async () => {
    expect(await load(four)).toEqual({ ...clean, read: 4, created: 4 })
    expect(await state()).toEqual(made)
    expect(await audit()).toEqual([
      {
        action: 'prompt.import',
        subjectType: 'project',
        subjectId: project,
        before: null,
        after: { created: 4, updated: 0, newTopics: 2 },
      },
    ])
  })

  test('twice are once', async () => {
    await load(four)
    const before = await api.db.prompt.findMany({ where: { projectId: project } })
    expect(await load(four)).toEqual({ ...clean, read: 4, unchanged: 4 })
    expect(await api.db.prompt.findMany({ where: { projectId: project } })).toEqual(before)
    expect(await state()).toEqual(made)
    expect(await audit()).toHaveLength(1)
  })

  test('change, of what is there, that which they name and which differs: by one revision', async () => {
    await load(four)
    const changed = `text,topic,volume,difficulty,tracked
"best headphones, cheap?",Audio,1300,34,
Is Acme Sound good?,,,,yes
what is ANC?,Headphones,0,,no
plain,,,,yes
`
    expect(await load(changed)).toEqual({ ...clean, read: 4, updated: 3, unchanged: 1 })
    const [brand, best, plain, what] = made
    expect(await state()).toEqual([
      { ...brand, tracked: true, revision: 2, changes: ['created', 'unarchived'] },
      {
        ...best,
        volume: 1300,
        revision: 2,
        changes: ['created', 'edited'],
        topics: ['0 Headphones', '1 Audio'],
      },
      plain,
      { ...what, tracked: false, revision: 2, changes: ['created', 'archived'] },
    ])
    expect((await audit())[1]?.after).toEqual({ created: 0, updated: 3, newTopics: 1 })
  })

  test('through GraphQL are the same', async () => {
    const { key } = await workspace.key({ scopes: ['admin'] })
    const ask = async () => {
      const query = `mutation($id: ID!, $csv: String!) {
        importPrompts(projectId: $id, content: $csv) {
          read created updated unchanged repeated rejected { line reason } ignoredColumns
        }
      }`
      const response = await api.graphql(query, key, { id: project, csv: `\u{FEFF}${four}` })
      return ((await response.json()) as { data: { importPrompts: unknown } }).data.importPrompts
    }
    expect(await ask()).toEqual({ ...clean, read: 4, created: 4 })
    expect(await state()).toEqual(made)
    expect(await ask()).toEqual({ ...clean, read: 4, unchanged: 4 })
    const [entry] = await api.db.auditEntry.findMany({
      where: { projectId: project, action: 'prompt.import' },
    })
    expect(entry?.keyId).toEqual(expect.any(String))
  })
})

describe('a prompt', () => {
  test('is found by a wording that it had before, and keeps that of now', async () => {
    await load('text\nold words\n')
    const [{ id } = { id: '' }] = await api.db.prompt.findMany({ where: { projectId: project } })
    const revision = { projectId: project, promptId: id, revision: 2, change: 'edited' } as const
    const text = 'new words'
    await api.db.promptRevision.create({
      data: { ...revision, text, questionKey: questionKey(text) },
    })
    await api.db.prompt.update({ where: { id }, data: { text, currentRevision: 2 } })
    expect(await load('text,volume\nold words,5\n')).toMatchObject({ created: 0, updated: 1 })
    const changes = ['created', 'edited', 'edited']
    expect(await state()).toEqual([{ ...bare, text, volume: 5, revision: 3, changes }])
    // Both wordings are of one prompt: what is said of the wording of now counts.
    const both = 'text,volume\nold words,6\nnew words,7\n'
    expect(await load(both)).toMatchObject({ updated: 1, repeated: 1 })
    expect(await state()).toMatchObject([{ text, volume: 7, revision: 4 }])
    expect(await load(both)).toMatchObject({ updated: 0, unchanged: 1, repeated: 1 })
  })

  test('in several lines is one: the first that says something counts, and all topics', async () => {
    const csv = 'text,topic,volume,difficulty\na,T1,,3\n a ,T2,5,4\nb,,,\na,T1,6,\n'
    expect(await load(csv)).toMatchObject({ read: 4, created: 2, repeated: 2 })
    expect(await state()).toEqual([
      { ...bare, text: 'a', volume: 5, difficulty: 3, topics: ['0 T1', '1 T2'] },
      { ...bare, text: 'b' },
    ])
    expect(await load(csv)).toMatchObject({ unchanged: 2, repeated: 2, updated: 0 })
  })

  test('that came with answers takes what the file says, and goes on not to count', async () => {
    await workspace.load(project, [{ prompt: 'from answers', topic: 'A' }])
    const csv = 'text,topic,volume\nfrom answers,B,9\n'
    expect(await load(csv)).toMatchObject({ created: 0, updated: 1 })
    expect(await state()).toMatchObject([{ volume: 9, topics: ['0 A', '1 B'], revision: 2 }])
    expect(await api.db.prompt.count({ where: { projectId: project, isImported: true } })).toBe(1)
    // An answer that is loaded later finds the prompts of the file.
    await load('text\nfrom the file\n')
    await workspace.load(project, [{ prompt: 'from the file' }])
    expect(await state()).toHaveLength(2)
  })

  test('of another project is none of this', async () => {
    const other = await workspace.project()
    await importCsv(api, other, 'text\nshared\n')
    expect(await load('text\nshared\n')).toMatchObject({ created: 1 })
  })

  test('that our own export holds comes back as it is, whatever its text begins with', async () => {
    const texts = ['=1+1', "'=1", "''-x", '-', '@me', '＝x', 'a;b,"c"', 'two\nlines', '👋 hello']
    const { key } = await workspace.key()
    const rows = texts.map((text) => ({ projectId: project, text, keywordSearchVolume: 3 }))
    for (const data of rows) {
      const first = { revision: 1, projectId: project, text: data.text, change: 'created' } as const
      const revision = { ...first, questionKey: questionKey(data.text) }
      await api.db.prompt.create({ data: { ...data, revisions: { create: revision } } })
    }
    const response = await api.get(`/api/mcp/projects/${project}/prompts?format=csv`, key)
    const result = await load(Buffer.from(await response.arrayBuffer()))
    expect(result).toMatchObject({ read: 9, created: 0, unchanged: 9, rejected: [] })
    expect(result.ignoredColumns).toContain('currentRevision')
  })
})

describe('the allowance', () => {
  beforeEach(async () => {
    const starter = await api.workspace('starter')
    project = await starter.project()
  })

  const lines = (count: number, more = '') =>
    `text,tracked\n${Array.from({ length: count }, (_, i) => `prompt ${i},${more}\n`).join('')}`

  test('of 50 takes 50, and of 51 none: the refusal says how many there are, may be and were wanted', async () => {
    await expect(load(lines(51))).rejects.toMatchObject({
      code: 'quota_exceeded',
      extras: { quotaExceeded: true, current: 0, limit: 50, requested: 51 },
    })
    expect(await state()).toEqual([])
    expect(await api.db.topic.count({ where: { projectId: project } })).toBe(0)
    expect(await load(lines(50))).toMatchObject({ created: 50 })
    await expect(load(lines(53))).rejects.toMatchObject({
      extras: { current: 50, limit: 50, requested: 3 },
    })
    expect(await audit()).toHaveLength(1)
  })

  test('counts what is tracked in the end: archiving frees, repeating and untracked take nothing', async () => {
    await load(lines(50))
    expect(await load(`${lines(50)}untracked,no\n`)).toMatchObject({ created: 1, unchanged: 50 })
    const swap = 'text,tracked\nprompt 0,no\nprompt 1,no\nuntracked,yes\nnew,\n'
    expect(await load(swap)).toMatchObject({ created: 1, updated: 3 })
    await expect(load('text,tracked\nprompt 0,yes\n')).rejects.toMatchObject({
      extras: { current: 50, limit: 50, requested: 1 },
    })
  })
})

test('imports and other writes of the same prompts wait for each other, and all end', async () => {
  const starter = await api.workspace('starter')
  project = await starter.project()
  const texts = Array.from({ length: 40 }, (_, i) => `prompt ${i}`)
  await load(`text\n${texts.join('\n')}\n`)
  const { key } = await starter.key({ scopes: ['admin'] })
  const ids = (await api.db.prompt.findMany({ where: { projectId: project } })).map(({ id }) => id)
  const track = (promptId: string, action: string) =>
    fetch(`${api.url}/api/mcp/projects/${project}/prompts/${promptId}/tracking`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action }),
    })
  const writes = ids.map(async (id) => {
    const archived = await patiently(() => track(id, 'archive'))
    return [archived.status, (await patiently(() => track(id, 'restore'))).status]
  })
  // Each takes places of the allowance, and so waits for those who have them.
  const imports = [1, 2, 3].map((volume) =>
    load(
      `text,volume,topic\nnew ${volume},,\n${texts.map((text) => `${text},${volume},T\n`).join('')}`,
    ),
  )
  expect((await Promise.all(writes)).flat()).toEqual(ids.flatMap(() => [200, 200]))
  expect(await Promise.all(imports)).toMatchObject(
    imports.map(() => ({ created: 1, updated: 40, rejected: [] })),
  )
  for (const prompt of await state()) {
    expect(prompt.revision).toBe(prompt.changes.length)
    expect(prompt.tracked).toBe(true)
  }
})

describe('refused as a whole', () => {
  test('is a project that is not there, and an inactive pitch', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'no id']) {
      await expect(importCsv(api, id, 'text\na\n')).rejects.toMatchObject({ code: 'not_found' })
    }
    const pitch = await workspace.project({ kind: 'pitch' })
    await api.db.project.update({ where: { id: pitch }, data: { isActive: false } })
    const code = 'INACTIVE_PITCH_PROMPT_MUTATION'
    await expect(importCsv(api, pitch, 'text\na\n')).rejects.toMatchObject({ code })
  })

  test('is one that another import does not let in', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    async function* slow() {
      begun.resolve()
      yield Buffer.from('text\na\n')
      await release.promise
    }
    const first = importCsv(api, project, slow())
    await begun.promise
    await expect(importCsv(api, project, 'text\nb\n', { waitMs: 200 })).rejects.toMatchObject({
      code: 'rate_limited',
    })
    release.resolve()
    expect(await first).toMatchObject({ created: 1 })
    expect(await state()).toMatchObject([{ text: 'a' }])
  })
})
