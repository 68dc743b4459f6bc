import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { runJson } from '../kit/service.ts'
import { makeOpportunities } from '../kit/work/opportunities.ts'

const api = useApi()
let project = ''
let ids: string[] = []

beforeAll(async () => {
  project = await (await api.workspace()).project()
  ids = await makeOpportunities(api.db, project, [{ effectAnswers: 2 }, {}])
})

const run = (verb: string, ...rest: string[]) =>
  runJson<object>(['opportunities', verb, '--project', project, ...rest], {
    env: { DATABASE_URL: api.databaseUrl },
  })

test('the command line lists, completes, dismisses and reopens opportunities', async () => {
  const [first = '', second = ''] = ids
  expect(await run('list')).toMatchObject({
    summary: { total: 2 },
    opportunities: [{ id: first }, { id: second }],
  })
  expect(await run('complete', first)).toEqual({ id: first, changed: true })
  expect(await run('dismiss', second, '--reason', 'Not ours.')).toMatchObject({ changed: true })
  expect(await run('list')).toMatchObject({ summary: { total: 0 } })
  expect(await run('reopen', second)).toMatchObject({ changed: true })
  expect(await run('list', '--all')).toMatchObject({
    opportunities: [
      { id: first, status: 'completed' },
      { id: second, status: 'active' },
    ],
  })
  expect(await run('refresh')).toEqual({ changed: true })
})
