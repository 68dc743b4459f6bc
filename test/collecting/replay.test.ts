import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import { previewReplay, replay } from '../../imports/collecting/replay.ts'
import { useApi } from '../kit/api.ts'
import { faultIn } from '../kit/changes.ts'
import { useProviders } from '../kit/collecting/provider.ts'
import { makeDataFolder, runCli, runJson } from '../kit/service.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'
import { type CollectedProject, collectedProject } from './collected.ts'
import { lenient, strict } from './readers.ts'

const providers = await useProviders()
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })
let worker: TestWorker
let project: CollectedProject
const options = () => ({ projectId: project.id })
const seen = () => project.seen()
const imports = () => project.imports()
const undo = (importId: string | null | undefined) => project.undo(importId)

beforeAll(async () => {
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  project = await collectedProject(api, providers, worker)
})

const texts = ({ answers }: Awaited<ReturnType<typeof seen>>) =>
  answers.nodes.map(({ text }) => text).sort()

const before = {
  openai: { asked: 2, answered: 1, absent: 1 },
  perplexity: { asked: 2, answered: 2, absent: 0 },
}

describe('a replay', () => {
  test('with nothing to change changes nothing, and says so', async () => {
    const then = await seen()
    const nothing = { bodies: 4, changed: 0, unreadable: 0, providers: [], examples: [] }
    expect(await previewReplay(api, options())).toEqual({ ...nothing, importId: null })
    expect(await replay(api, options())).toEqual({ ...nothing, importId: null })
    expect(await seen()).toEqual(then)
    expect(await imports()).toHaveLength(1)
  })

  test('shows what would change, by provider and kind', async () => {
    const then = await seen()
    const found = await previewReplay(api, { ...options(), read: strict })
    const none = { outcome: 0, text: 0, model: 0, queries: 0, pages: 0 }
    expect(found).toMatchObject({
      bodies: 4,
      changed: 3,
      importId: null,
      providers: [
        { ...none, provider: 'openai', questions: 1, model: 1, queries: 1 },
        { ...none, provider: 'perplexity', questions: 2, model: 1, outcome: 1 },
      ],
    })
    const ids = then.answers.nodes.map(({ id }) => id)
    expect(found.examples.map(({ answerId }) => answerId).sort()).toEqual(ids.sort())
    expect(await seen()).toEqual(then)
  })

  test('hides what is no answer any more, and its undo brings it back', async () => {
    const then = await seen()
    expect(then.summary).toMatchObject({ totalResponses: 3, responsesWithBrand: 2 })
    expect(then.visibility.coverage).toMatchObject([before.openai, before.perplexity])
    const done = await replay(api, { ...options(), read: strict })
    expect(done).toMatchObject({ changed: 3, importId: expect.any(String) })
    const now = await seen()
    expect(texts(now)).toEqual(['Acme is great.', 'Acme is great.'])
    expect(now.summary).toMatchObject({ totalResponses: 2, responsesWithBrand: 2 })
    expect(now.answers.nodes).toMatchObject([
      { run: { status: 'completed' }, citations: [{ url: 'https://acme.com/cited' }] },
      { run: { status: 'completed' }, citations: [{ url: 'https://acme.com/cited' }] },
    ])
    expect(JSON.stringify(now.answers)).toContain('sonar strict')
    expect(now.visibility.coverage).toMatchObject([
      before.openai,
      { asked: 2, answered: 1, absent: 1, refused: 1 },
    ])
    expect(now.collectingCost).toEqual(then.collectingCost)
    // Changed answers keep their ids.
    const ids = then.answers.nodes.map(({ id }) => id)
    expect(now.answers.nodes.filter(({ id }) => !ids.includes(id))).toEqual([])
    expect(await imports()).toMatchObject([
      { id: done.importId, status: 'finished', file: 'bodies read again', read: 4, loaded: 3 },
      { status: 'finished', loaded: 3 },
    ])
    expect(await replay(api, { ...options(), read: strict })).toMatchObject({ changed: 0 })
    await undo(done.importId)
    expect(await seen()).toEqual(then)
  })

  test('shows an answer that was none before, and its undo takes it away', async () => {
    const then = await seen()
    const done = await replay(api, { ...options(), read: lenient })
    // Of both bodies of Perplexity, and of the one of OpenAI, the page that was only read.
    expect(done.providers).toMatchObject([
      { provider: 'openai', questions: 2, outcome: 1, pages: 1 },
      { provider: 'perplexity', questions: 2, outcome: 0, pages: 2 },
    ])
    const now = await seen()
    expect(now.summary).toMatchObject({ totalResponses: 4, responsesWithBrand: 3 })
    expect(texts(now)).toContain('Acme says no.')
    expect(now.visibility.coverage).toMatchObject([
      { asked: 2, answered: 2, absent: 0, refused: 0 },
      before.perplexity,
    ])
    expect(now.collectingCost).toEqual(then.collectingCost)
    await undo(done.importId)
    expect(await seen()).toEqual(then)
  })

  test('reads only what is selected', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const read = { ...options(), read: strict }
    expect(await previewReplay(api, { ...read, provider: 'openai' })).toMatchObject({
      bodies: 2,
      changed: 1,
    })
    expect(await previewReplay(api, { ...read, to: '2025-05-10' })).toMatchObject({ bodies: 0 })
    expect(await previewReplay(api, { ...read, from: '2025-05-10', to: today })).toMatchObject({
      bodies: 4,
      changed: 3,
    })
    const done = await replay(api, { ...read, provider: 'openai' })
    expect(done).toMatchObject({ bodies: 2, changed: 1 })
    expect((await seen()).summary).toMatchObject({ totalResponses: 3 })
  })

  test('leaves alone what it cannot read, and what was undone', async () => {
    const then = await seen()
    const none = { bodies: 4, changed: 0, unreadable: 4 }
    expect(await replay(api, { ...options(), read: () => null })).toMatchObject(none)
    expect(await seen()).toEqual(then)
    const [run] = await imports()
    await undo(run?.id)
    await replay(api, { ...options(), read: strict })
    expect((await seen()).summary).toMatchObject({ totalResponses: 0 })
  })
})

describe('the undo of a replay', () => {
  test('after later imports and a reanalysis finds the mentions of today', async () => {
    const done = await replay(api, { ...options(), read: strict })
    const added = `addCompetitor(projectId: "${project.id}", name: "Bolt", domain: "bolt.io")`
    expect(faultIn(await project.ask(`mutation { ${added} { changed } }`))).toBe('none')
    await reanalyze(api, options())
    // As after a minute, when no request reads replaced loads any more.
    await api.db.project.update({ where: { id: project.id }, data: { updatedAt: new Date(0) } })
    await project.collect()
    expect((await seen()).summary).toMatchObject({ totalResponses: 5, responsesWithBrand: 4 })
    await undo(done.importId)
    const now = await seen()
    expect(now.summary).toMatchObject({ totalResponses: 6, responsesWithBrand: 4 })
    const ofBolt = now.answers.nodes.filter(({ mentions }) =>
      mentions.some(({ brand }) => brand.name === 'Bolt'),
    )
    expect(ofBolt.map(({ text }) => text)).toEqual(Array(2).fill('I cannot say, but Bolt.'))
  })

  test('in any order leaves what the others found', async () => {
    const then = await seen()
    const first = await replay(api, { ...options(), read: strict })
    const second = await replay(api, { ...options(), read: lenient })
    const now = await seen()
    expect(now.summary).toMatchObject({ totalResponses: 4 })
    await undo(first.importId)
    expect(await seen()).toEqual(now)
    await undo(second.importId)
    expect(await seen()).toEqual(then)

    const third = await replay(api, { ...options(), read: strict })
    const strictly = await seen()
    const fourth = await replay(api, { ...options(), read: lenient })
    await undo(fourth.importId)
    expect(await seen()).toEqual(strictly)
    await undo(third.importId)
    expect(await seen()).toEqual(then)
  })

  test('brings no answer of an undone run back', async () => {
    const done = await replay(api, { ...options(), read: strict })
    const [, run] = await imports()
    await undo(run?.id)
    expect((await seen()).summary).toMatchObject({ totalResponses: 0 })
    await undo(done.importId)
    expect((await seen()).summary).toMatchObject({ totalResponses: 0 })
  })
})

test('the command shows, makes and takes back what changes', async () => {
  const folder = await makeDataFolder()
  const cli = {
    env: {
      DATA_DIR: folder.path,
      DATABASE_URL: api.databaseUrl,
      CLICKHOUSE_URL: inject('clickhouseUrl'),
    },
  }
  const then = await seen()
  await replay(api, { ...options(), read: strict })
  const strictly = await seen()
  const args = ['reparse', '--project', project.id]
  const { stdout } = await runCli([...args, '--dry-run'], cli)
  expect(stdout).toContain('4 replies read, 3 of them differently.')
  expect(stdout).toMatch(/perplexity {2}2 changed {2}outcome 1, model 1/)
  expect(stdout).toContain('Nothing is changed yet.')
  expect(await seen()).toEqual(strictly)
  const some = await runJson<object>([...args, '--dry-run', '--provider', 'openai'], cli)
  expect(some).toMatchObject({ bodies: 2, changed: 1, importId: null })
  const done = await runJson<{ importId: string }>(args, cli)
  expect(done).toMatchObject({ bodies: 4, changed: 3 })
  expect(await seen()).toEqual(then)
  expect((await runCli(args, cli)).stdout).toBe(
    '4 replies read, 0 of them differently.\nNothing to change.\n',
  )
  await runCli(['import', 'undo', done.importId, '--project', project.id], cli)
  expect(await seen()).toEqual(strictly)
  expect((await runCli([...args, '--from', '1 May'], cli)).stderr).toContain(
    '`--from` must be a day',
  )
  expect((await runCli([...args, '--provider', 'x'], cli)).stderr).toContain(
    'must be one of openai',
  )
  await folder.remove()
})
