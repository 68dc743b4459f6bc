import { expect, test } from 'vitest'
import { withProject } from '../../imports/loads/lock.ts'
import { useApi } from '../kit/api.ts'
import { until } from '../kit/service.ts'

const api = useApi()

test('the imports of one workspace leave places for the others', async () => {
  const [many, one] = [await api.workspace(), await api.workspace()]
  const projects = await Promise.all(Array.from({ length: 9 }, () => many.project()))
  const [ninth = '', ...eight] = projects
  const end = Promise.withResolvers<void>()
  let begun = 0
  const held = eight.map((projectId) =>
    withProject(api, { projectId }, () => {
      begun++
      return end.promise
    }),
  )
  await until(() => begun === 8)
  const attempt = (projectId: string, waitMs: number) =>
    withProject(api, { projectId, waitMs }, async () => 'imported').catch(({ code }) => code)
  expect(await attempt(ninth, 50)).toBe('rate_limited')
  expect(await attempt(await one.project(), 60_000)).toBe('imported')
  end.resolve()
  await Promise.all(held)
  expect(await attempt(ninth, 60_000)).toBe('imported')
})
