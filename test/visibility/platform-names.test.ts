import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'

const api = useApi()
let key = ''
let project = ''

const may = 'from=2025-05-01&to=2025-05-31'
const inMay = 'window: { from: "2025-05-01", to: "2025-05-31" }'

/** Two answers of a platform that Sightline does not know, in two spellings, and one of ChatGPT. */
beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(project, [
    { platform: 'Ask Müller 2', model: 'm1', text: 'Acme.' },
    { platform: 'ASK MÜLLER 2', model: 'm2', text: 'Nobody.', run: 2 },
    { platform: 'OpenAI', text: 'Acme.' },
  ])
})

async function rest(path: string) {
  const response = await api.get(`/api/mcp/projects/${project}${path}`, key)
  return { status: response.status, body: await response.json() }
}

async function graph(fields: string) {
  const response = await api.graphql(`{ project(id: "${project}") { ${fields} } }`, key)
  return flat(((await response.json()) as { data: { project: object } }).data.project)
}

const own = { id: 'ask_muller_2', displayName: 'Ask Müller 2', models: ['m1', 'm2'] }

test('a platform that is not known keeps the name that it came with first', async () => {
  const { body } = await rest('/platforms')
  expect(body.platforms.at(-1)).toEqual({ ...own, aliases: [] })
  const rows = await rest(`/visibility/platforms?${may}`)
  const named = { platform: own.id, displayName: own.displayName, responses: 2 }
  expect(rows.body.platforms.at(-1)).toMatchObject(named)
  const fields =
    'platforms { platform { slug } displayName: platform { displayName } responses: answerCount }'
  expect(await graph(`visibilityByPlatform(${inMay}) { ${fields} }`)).toEqual({
    visibilityByPlatform: {
      platforms: [{ platform: 'chatgpt', displayName: 'ChatGPT', responses: 1 }, named],
    },
  })
  const { data } = (await (
    await api.graphql(
      `{ project(id: "${project}") { platforms(first: 100) { nodes { id: slug displayName models } } } }`,
      key,
    )
  ).json()) as { data: { project: { platforms: { nodes: object[] } } } }
  expect(data.project.platforms.nodes.at(-1)).toEqual(own)
})

test.each(['Ask Müller 2', 'ask müller 2', 'ask_muller_2', 'ASK_MULLER_2'])(
  'the filter takes %s',
  async (name) => {
    const { body } = await rest(`/visibility?${may}&platform=${encodeURIComponent(name)}`)
    expect(body.summary.totalResponses).toBe(2)
    const filter = `filter: { platforms: ["${name}"] }`
    expect(
      await graph(`visibility(${inMay}, ${filter}) { summary { totalResponses: answerCount } }`),
    ).toEqual({
      visibility: { summary: { totalResponses: 2 } },
    })
  },
)

test('an unknown name is refused, and the accepted names are listed', async () => {
  const { status, body } = await rest(`/visibility?${may}&platform=nobody`)
  expect([status, body.code]).toEqual([400, 'invalid_argument'])
  expect(body.message).toContain('Ask Müller 2')
})
