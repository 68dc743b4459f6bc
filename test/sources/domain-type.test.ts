import { expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { graphRequests } from '../kit/graphql/requests.ts'

const api = useApi()
const request = graphRequests(api)

test('a domain has the type that most of its citations show, and at a tie the first of the list', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  const forum = (page: string) => ({ url: `https://mixed.example/forum/${page}` })
  const product = { url: 'https://mixed.example/product/tv' }
  const tied = [
    { url: 'https://tied.example/forum/1' },
    { url: 'https://tied.example/product/tv' },
    { url: 'https://tied.example/about' },
  ]
  await workspace.load(project, [
    {
      collectedAt: '2025-05-10',
      citations: [forum('1'), forum('2'), forum('3'), product, ...tied],
    },
  ])
  const days = 'from=2025-05-10&to=2025-05-10'
  const path = `/api/mcp/projects/${project}/sources`
  const domains = await (await api.get(`${path}/domains?${days}`, key)).json()
  expect(domains).toMatchObject({
    sources: [
      { domain: 'mixed.example', type: 'forum' },
      { domain: 'tied.example', type: 'forum' },
    ],
  })
  const thirdParty = await (
    await api.get(`${path}/domains?${days}&sourceType=third_party`, key)
  ).json()
  expect(thirdParty).toMatchObject({ sources: [] })
  const { data } = await request(
    key,
    `{ project(id: "${project}") {
      sourceDomains(window: { from: "2025-05-10", to: "2025-05-10" }) { nodes { domain type } }
    } }`,
  )
  expect(data.project).toMatchObject({
    sourceDomains: {
      nodes: [
        { domain: 'mixed.example', type: 'forum' },
        { domain: 'tied.example', type: 'forum' },
      ],
    },
  })
})
