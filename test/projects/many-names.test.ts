import { expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

const api = useApi()

test('a project has at most a thousand names', async () => {
  const workspace = await api.workspace()
  const projectId = await workspace.project()
  const { key } = await workspace.key({ scopes: ['read', 'admin'] })
  const aliases = Array.from({ length: 999 }, (_, i) => ({ projectId, text: `Alias ${i}` }))
  await api.db.brandAlias.createMany({ data: aliases })
  const add = async (text: string) => {
    const change = `mutation { addBrandAlias(projectId: "${projectId}", text: "${text}") {
      ... on ProjectChange { changed } ... on Problem { code message } } }`
    const { data } = await (await api.graphql(change, key)).json()
    return data.addBrandAlias
  }
  expect(await add('The last')).toEqual({ changed: true })
  expect(await add('One more')).toEqual({
    code: 'invalid_argument',
    message: 'A project has at most 1000 competitors, aliases and domains.',
  })
  expect(await add('The last')).toEqual({ changed: false })
})
