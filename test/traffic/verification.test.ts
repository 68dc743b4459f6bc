import { expect, test } from 'vitest'
import { run } from '../../warehouse/run.ts'
import { useApi } from '../kit/api.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

const api = useApi()
const request = graphRequests(api)
const window = 'window: { from: "2025-05-10", to: "2025-05-10" }'

test('hits of a crawler are verified by their addresses, which are cut only then', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  await connectSource(api.db, project)
  const at = '2025-05-10T08:00:00Z'
  await putHits(api.warehouse, project, [
    ...['20.171.207.9', '20.171.207.200', '8.8.8.8', '10.0.0.1'].map((ip) => {
      return { bot: 'GPTBot', at, ip }
    }),
    { bot: 'ClaudeBot', at, ip: '8.8.8.8' },
  ])
  const fields = 'verification { verified claimed impostor signed verifiedShare }'
  const text = `{ project(id: "${project}") {
    crawlers(${window}) { nodes { botName visits ${fields} } }
    crawler(name: "gptbot", ${window}) { ${fields} }
    impostors: crawlers(${window}, filter: { verifications: [impostor] }) { nodes { botName visits ${fields} } }
    checked: trafficOverview(${window}, filter: { verifications: [verified, impostor] }) { crawlers { total } }
    trafficOverview(${window}) { crawlers { total } }
    crawlerHits(${window}, filter: { verifications: [impostor] }) { totalCount nodes { botName verification } }
  } }`
  const { data } = await request(key, text)
  const ofGptBot = { verified: 2, claimed: 1, impostor: 1, signed: 0, verifiedShare: 66.67 }
  expect(data.project).toEqual({
    crawlers: {
      nodes: [
        { botName: 'GPTBot', visits: 3, verification: ofGptBot },
        {
          botName: 'ClaudeBot',
          visits: 1,
          verification: { verified: 0, claimed: 1, impostor: 0, signed: 0, verifiedShare: null },
        },
      ],
    },
    crawler: { verification: ofGptBot },
    impostors: { nodes: [{ botName: 'GPTBot', visits: 1, verification: ofGptBot }] },
    checked: { crawlers: { total: 3 } },
    trafficOverview: { crawlers: { total: 4 } },
    crawlerHits: { totalCount: 1, nodes: [{ botName: 'GPTBot', verification: 'impostor' }] },
  })
  const query = 'from=2025-05-10&to=2025-05-10'
  const asked = await Promise.all(
    ['overview', 'bots', 'logs'].map(async (path) => {
      const response = await api.get(`/api/mcp/projects/${project}/traffic/${path}?${query}`, key)
      return (await response.json()) as Record<string, unknown>
    }),
  )
  expect(asked).toMatchObject([
    { crawlers: { total: 4 } },
    { bots: [{ visits: 3 }, { visits: 1 }] },
    { pagination: { returnedCount: 4 } },
  ])
  const stored = await run(api.warehouse, {
    id: 'test.addresses',
    sql: 'SELECT DISTINCT ip_address FROM crawler_hits WHERE project_id = {project:UUID} ORDER BY 1',
    params: { project },
    row: ({ ip_address }) => ip_address,
  })
  expect(stored).toEqual(['10.0.0.0', '20.171.207.0', '8.8.8.0'])
})

test('a signed hit is a state of its own, and counts as verified', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  await connectSource(api.db, project)
  const at = '2025-05-10T08:00:00Z'
  await putHits(api.warehouse, project, [
    { bot: 'ChatGPT Agent', at, signedBy: 'chatgpt.com' },
    { bot: 'ChatGPT Agent', at },
  ])
  const { data } = await request(
    key,
    `{ project(id: "${project}") {
    crawlers(${window}) { nodes { visits verification { verified claimed impostor signed verifiedShare } } }
    crawlerHits(${window}, filter: { verifications: [signed] }) { nodes { verification } } } }`,
  )
  expect(data.project).toEqual({
    crawlers: {
      nodes: [
        {
          visits: 2,
          verification: { verified: 0, claimed: 1, impostor: 0, signed: 1, verifiedShare: 100 },
        },
      ],
    },
    crawlerHits: { nodes: [{ verification: 'signed' }] },
  })
})
