import { expect, test } from 'vitest'
import { createProject } from '../../resolvers/projects/create.ts'
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

test('a new project has at most a thousand names', async () => {
  const { id: workspaceId } = await api.workspace()
  const create = (names: number) => {
    const aliases = Array.from({ length: names }, (_, i) => ({ text: `Alias ${i}` }))
    const input = { workspaceId, name: 'Acme', domain: 'acme.com', aliases }
    return createProject(api.db, input, 'secret')
  }
  await expect(create(1001)).rejects.toMatchObject({ code: 'invalid_argument' })
  expect(await api.db.project.count({ where: { workspaceId } })).toBe(0)
  expect(await create(1000)).toMatchObject({ id: expect.any(String) })
})
