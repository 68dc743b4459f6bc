import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { useProviders } from '../kit/collecting/provider.ts'
import { withProblemFragments } from '../kit/graphql/mutations.ts'

const providers = await useProviders()
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, log)
const secret = 'sk-very-secret-0123456789'
let workspace: TestWorkspace
let project = ''
let admin = ''

async function send(mutation: string, key?: string) {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ query: withProblemFragments(`mutation { ${mutation} }`) }),
  })
  const text = await response.text()
  const isReplay = response.headers.get('x-idempotent-replay') === 'true'
  return { text, isReplay, answer: JSON.parse(text) as GraphAnswer }
}

const set = (label: string) =>
  `setProviderKey(workspaceId: "${workspace.id}", provider: openai, label: "${label}", secret: "${secret}", baseUrl: "${providers.baseUrl('openai')}") { providerKey { id label } }`
const create = (name: string) =>
  `createSchedule(projectId: "${project}", name: "${name}", cron: "0 6 * * *") { id name nextRunAt }`

async function done(mutation: string): Promise<string> {
  const { answer } = await send(mutation)
  expect(faultIn(answer)).toBe('none')
  const [made] = Object.values(answer.data) as { id?: string; providerKey?: { id: string } }[]
  return made?.id ?? made?.providerKey?.id ?? ''
}

beforeEach(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
  await done(
    `addPrompts(projectId: "${project}", prompts: [{ text: "best anvils?" }]) { __typename }`,
  )
  await done(set('Asked'))
})

const of = () => `projectId: "${project}"`

/** A mutation, the same with other arguments, and what it leaves in the audit trail. */
interface Case {
  readonly action: string
  readonly make: () => Promise<readonly [mutation: string, other: string]>
}

const schedule = () => done(create('Daily'))

const cases: Record<string, Case> = {
  removeProviderKey: {
    action: 'providerKey.remove',
    make: async () => {
      const remove = (id: string) =>
        `removeProviderKey(workspaceId: "${workspace.id}", keyId: "${id}") { subjectId changed }`
      return [remove(await done(set('One'))), remove(await done(set('Two')))]
    },
  },
  setCollectingCaps: {
    action: 'project.setCollectingCaps',
    make: async () => {
      const caps = (dollars: number) => `setCollectingCaps(${of()}, dayCap: ${dollars}) { changed }`
      return [caps(1), caps(2)]
    },
  },
  runPrompts: {
    action: 'run.start',
    make: async () => {
      const run = (more: string) => `runPrompts(${of()}${more}) { id status coverage { asked } }`
      return [run(''), run(', repetitions: 2')]
    },
  },
  retryRun: {
    action: 'run.retry',
    make: async () => {
      const ended = async (prompt: string) => {
        const ask = { prompt, promptId: randomUUID(), providerKeyId: randomUUID(), repetition: 1 }
        const at = { provider: 'openai', platform: 'chatgpt', model: 'm', state: 'failed' } as const
        const asks = { create: { ...ask, ...at } }
        const run = { projectId: project, repetitions: 1, deadlineAt: new Date(), asks }
        const { id } = await api.db.run.create({ data: { ...run, status: 'completed' } })
        return `retryRun(${of()}, runId: "${id}") { id status coverage { asked waiting } }`
      }
      return [await ended('One'), await ended('Two')]
    },
  },
  createSchedule: {
    action: 'schedule.create',
    make: async () => [create('Daily'), create('Nightly')],
  },
  updateSchedule: {
    action: 'schedule.update',
    make: async () => {
      const id = await schedule()
      const update = (count: number) =>
        `updateSchedule(${of()}, scheduleId: "${id}", repetitions: ${count}) { id repetitions updatedAt }`
      return [update(2), update(3)]
    },
  },
  deleteSchedule: {
    action: 'schedule.delete',
    make: async () => {
      const remove = (id: string) =>
        `deleteSchedule(${of()}, scheduleId: "${id}") { subjectId changed }`
      return [remove(await schedule()), remove(await done(create('Other')))]
    },
  },
  runSchedule: {
    action: 'run.start',
    make: async () => {
      const run = (id: string) => `runSchedule(${of()}, scheduleId: "${id}") { id status }`
      return [run(await schedule()), run(await done(create('Other')))]
    },
  },
}

test.each(Object.keys(cases))('%s that comes again with its key is done once', async (name) => {
  const { action, make } = cases[name] as Case
  const [mutation, other] = await make()
  const times = () => api.db.auditEntry.count({ where: { workspaceId: workspace.id, action } })
  const earlier = await times()
  const key = randomUUID()
  const first = await send(mutation, key)
  expect([faultIn(first.answer), first.isReplay]).toEqual(['none', false])
  for (let again = 0; again < 2; again++) {
    const { text, isReplay } = await send(mutation, key)
    expect([text, isReplay]).toEqual([first.text, true])
  }
  expect(faultIn((await send(other, key)).answer)).toBe('idempotency_conflict')
  expect(await times()).toBe(earlier + 1)
})

test('of two at once one starts a run, and the other is refused or gets its answer', async () => {
  const key = randomUUID()
  const run = `runPrompts(${of()}) { id }`
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(run, key)))
  const faults = answers.map(({ answer }) => faultIn(answer))
  expect(faults).toContain('none')
  const others = faults.filter((fault) => fault !== 'none' && fault !== 'idempotency_in_flight')
  expect(others).toEqual([])
  expect(await api.db.run.count({ where: { projectId: project } })).toBe(1)
})

test('setProviderKey with its key calls the provider once, and keeps no secret', async () => {
  providers.questions.length = 0
  const key = randomUUID()
  const first = await send(set('Once'), key)
  expect([faultIn(first.answer), first.isReplay]).toEqual(['none', false])
  const asked = providers.questions.length
  expect(asked).toBeGreaterThan(0)
  const again = await send(set('Once'), key)
  expect([again.text, again.isReplay]).toEqual([first.text, true])
  expect(faultIn((await send(set('Other'), key)).answer)).toBe('idempotency_conflict')
  expect(providers.questions).toHaveLength(asked)
  const ofWorkspace = { workspaceId: workspace.id }
  const labels = await api.db.providerKey.findMany({ where: ofWorkspace, select: { label: true } })
  expect(labels.map(({ label }) => label).sort()).toEqual(['Asked', 'Once'])
  const replies = await api.db.idempotentReply.findMany({ where: { apiKey: ofWorkspace } })
  expect(replies).toHaveLength(1)
  const kept = replies.map((reply) =>
    Object.values(reply).map((it) => (it instanceof Uint8Array ? Buffer.from(it).toString() : it)),
  )
  const entries = await api.db.auditEntry.findMany({ where: ofWorkspace })
  const said = entries.map(({ before, after }) => [before, after])
  expect(JSON.stringify([kept, said, lines])).not.toContain(secret)
})

test('setProviderKey without a key, sent again, replaces what it stored', async () => {
  const where = { workspaceId: workspace.id, label: 'Main' }
  expect(await api.db.providerKey.count({ where })).toBe(0)
  expect(await done(set('Main'))).toBe(await done(set('Main')))
  expect(await api.db.providerKey.count({ where })).toBe(1)
  const replies = await api.db.idempotentReply.count({
    where: { apiKey: { workspaceId: workspace.id } },
  })
  expect(replies).toBe(0)
  const entries = await api.db.auditEntry.findMany({ where: { workspaceId: workspace.id } })
  expect(entries.map(({ action }) => action)).toContain('providerKey.replace')
  const said = entries.map(({ before, after }) => [before, after])
  expect(JSON.stringify([said, lines])).not.toContain(secret)
})
