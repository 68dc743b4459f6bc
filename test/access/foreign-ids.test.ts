import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { catalog, type ErrorCode } from '../../core/errors.ts'
import { useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { root } from '../kit/repository.ts'

/** What SECURITY.md says about foreign ids, and what both doors answer. */

const api = useApi()
const ask = asking(api, () => '')

/** The rows of the table: what is asked for, with the status and the code of the answer. */
function promised(): Record<string, string> {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  const [, section = ''] = page.split('## What a foreign id answers')
  const rows = section.matchAll(/^\| ([^|]+) \| (\d{3}) `(\w+)` \|$/gm)
  return Object.fromEntries([...rows].map(([, what, status, code]) => [what, `${status} ${code}`]))
}

let key = ''
let bound = ''
let own = ''
let foreign = { workspace: '', project: '', topic: '', prompt: '' }

beforeAll(async () => {
  const home = await api.workspace()
  own = await home.project()
  key = (await home.key()).key
  bound = (await home.key({ projectId: own })).key
  const strangers = await api.workspace()
  const project = await strangers.project()
  await strangers.load(project, [{ topic: 'Headphones' }])
  const where = { projectId: project }
  const { id: topic } = await api.db.topic.findFirstOrThrow({ where })
  const { id: prompt } = await api.db.prompt.findFirstOrThrow({ where })
  foreign = { workspace: strangers.id, project, topic, prompt }
})

const inRest = async (path: string, as: string) => {
  const response = await api.get(`/api/mcp/projects/${path}`, as)
  const { code } = (await response.json()) as { code: ErrorCode }
  return `${response.status} ${code}`
}

const inGraph = async (text: string, as: string) => {
  // The argument that is at fault stands behind the code.
  const [code] = faultIn(await ask(text, as)).split(' ') as [ErrorCode]
  return `${catalog[code]?.status} ${code}`
}

const ofProject = async (id: string, as: string) => [
  await inRest(id, as),
  await inGraph(`{ project(id: "${id}") { name } }`, as),
]

/** Both doors, where both have it. */
const cases: Record<string, () => Promise<string[]>> = {
  'a project that does not exist': () => ofProject(randomUUID(), key),
  "a project of a workspace where the key's user is no member": () =>
    ofProject(foreign.project, key),
  'another project, by a key that is bound to one': () => ofProject(foreign.project, bound),
  'a topic of another project': async () => [
    await inRest(`${own}/topics/prompt-rankings?topicId=${foreign.topic}`, key),
    await inGraph(
      `{ project(id: "${own}") { promptRankings(topicId: "${foreign.topic}") { totalCount } } }`,
      key,
    ),
  ],
  'a prompt of another project': async () => [
    await inRest(`${own}/prompts/${foreign.prompt}`, key),
  ],
  'another workspace': async () => [
    await inGraph(`{ workspace(id: "${foreign.workspace}") { name } }`, key),
  ],
}

test('SECURITY.md says of each foreign id what both doors answer', async () => {
  const answered: Record<string, string> = {}
  for (const [what, answer] of Object.entries(cases)) {
    answered[what] = [...new Set(await answer())].join(', ')
  }
  expect(answered).toEqual(promised())
})

test('a bound key gets the same body for another project as for a missing one', async () => {
  const bodyOf = async (id: string) => {
    const response = await api.get(`/api/mcp/projects/${id}`, bound)
    const { requestId: _, ...body } = (await response.json()) as { requestId: string }
    return body
  }
  expect(await bodyOf(foreign.project)).toEqual(await bodyOf(randomUUID()))
})

test('`node` is null for what is foreign', async () => {
  const nodeId = Buffer.from(`Project:${foreign.project}`).toString('base64url')
  for (const as of [key, bound]) {
    expect((await ask(`{ node(id: "${nodeId}") { nodeId } }`, as)).data).toEqual({ node: null })
  }
})
