import { beforeAll, expect, inject, test } from 'vitest'
import { type TestWorkspace, useApi } from '../../kit/api.ts'
import { runCli, runJson } from '../../kit/service.ts'

/** Commands about records of the catalog, which people name. */

const api = useApi()
const brand = `Brand ${Date.now()}`
let workspace: TestWorkspace
let project = ''
let env: Record<string, string> = {}

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project({
    name: brand,
    domain: `${brand.replace(' ', '-')}.example`,
    aliases: [{ text: 'The brand' }],
    competitors: [{ name: 'Rival', domain: 'rival.example', aliases: [{ text: 'Rivalco' }] }],
  })
  env = {
    DATABASE_URL: api.databaseUrl,
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    DATA_DIR: `${inject('runFolder')}/records-cli`,
  }
})

const cli = (...args: string[]) => runCli(args, { env })
const json = <Result>(...args: string[]) => runJson<Result>(args, { env })

test('a workspace is listed, shown, renamed and put on another plan', async () => {
  const name = `Workspace of ${brand}`
  expect((await cli('workspace', 'rename', workspace.id, name)).stdout).toBe(
    `Renamed workspace ${workspace.id}\n`,
  )
  expect((await cli('workspace', 'rename', name, name)).stdout).toBe(
    `Nothing to change: ${workspace.id} is up to date.\n`,
  )
  const { workspaces } = await json<{ workspaces: object[] }>('workspace', 'list')
  expect(workspaces).toContainEqual({ id: workspace.id, name, plan: 'enterprise', projects: 1 })
  await cli('workspace', 'set-plan', name.toUpperCase(), 'growth')
  expect(await json('workspace', 'show', name)).toMatchObject({
    id: workspace.id,
    name,
    plan: 'growth',
    members: [{ role: 'owner' }],
    projects: [{ id: project, name: brand }],
  })
  const wrong = await cli('workspace', 'set-plan', name, 'golden')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('`plan`')])
  const changes = await api.db.auditEntry.findMany({
    where: { workspaceId: workspace.id, action: 'workspace.update' },
    orderBy: { id: 'asc' },
  })
  expect(changes.map(({ after }) => after)).toEqual([{ name }, { plan: 'growth' }])
})

test('prompts are added, listed, archived and restored, by their text', async () => {
  await cli('topic', 'add', '--project', brand, 'Speakers')
  const of = ['--project', brand]
  const first = `Is ${brand} good?`
  const added = await cli('prompt', 'add', ...of, first, 'Which is best?', '--topic', 'speakers')
  expect(added.stdout.match(/^Added prompt [0-9a-f-]{36}: /gm)).toHaveLength(2)
  const topic = await api.db.topic.findFirstOrThrow({ where: { projectId: project } })
  expect(await api.db.promptTopic.count({ where: { topicId: topic.id } })).toBe(2)
  const { prompts } = await json<{ prompts: { id: string }[] }>('prompt', 'list', ...of)
  expect(prompts).toMatchObject([
    { text: first, isBranded: true, isTracked: true },
    { text: 'Which is best?', isBranded: false, isTracked: true },
  ])
  const id = prompts[1]?.id
  expect((await cli('prompt', 'archive', ...of, 'which is best?')).stdout).toBe(
    `Archived prompt ${id}\n`,
  )
  expect((await cli('prompt', 'list', ...of)).stdout).not.toContain('Which is best?')
  expect((await cli('prompt', 'list', ...of, '--all')).stdout).toContain(
    `${id}  archived  Which is best?`,
  )
  expect(await json('prompt', 'restore', ...of, id ?? '')).toEqual({ id, changed: true })
  expect(await json('prompt', 'restore', ...of, id ?? '')).toEqual({ id, changed: false })
  expect((await cli('prompt', 'archive', ...of, 'No such prompt')).code).toBe(1)
})

test('aliases of the brand and its competitors are listed', async () => {
  const { stdout } = await cli('alias', 'list', '--project', brand)
  expect(stdout).toBe(`${brand}  The brand\n${'Rival'.padEnd(brand.length)}  Rivalco\n`)
})

test('a name of two projects is refused with both ids', async () => {
  const twin = await workspace.project({ name: brand, domain: 'twin.example' })
  const { code, stderr } = await cli('alias', 'list', '--project', brand)
  expect(code).toBe(2)
  expect(stderr).toContain(twin)
  expect(stderr).toContain(project)
  expect((await cli('alias', 'list', '--project', 'twin.example')).stdout).toBe('No aliases.\n')
})
