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
  const fields = 'verification { verified claimed impostor verifiedShare }'
  const text = `{ project(id: "${project}") {
    crawlers(${window}) { nodes { botName visits ${fields} } }
    crawler(name: "gptbot", ${window}) { ${fields} }
  } }`
  const { data } = await request(key, text)
  const ofGptBot = { verified: 2, claimed: 1, impostor: 1, verifiedShare: 66.67 }
  expect(data.project).toEqual({
    crawlers: {
      nodes: [
        { botName: 'GPTBot', visits: 4, verification: ofGptBot },
        {
          ...{ botName: 'ClaudeBot', visits: 1 },
          verification: { verified: 0, claimed: 1, impostor: 0, verifiedShare: null },
        },
      ],
    },
    crawler: { verification: ofGptBot },
  })
  const stored = await run(api.warehouse, {
    id: 'test.addresses',
    sql: 'SELECT DISTINCT ip_address FROM crawler_hits WHERE project_id = {project:UUID} ORDER BY 1',
    params: { project },
    row: ({ ip_address }) => ip_address,
  })
  expect(stored).toEqual(['10.0.0.0', '20.171.207.0', '8.8.8.0'])
})
