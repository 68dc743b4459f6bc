import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn, type GraphAnswer } from '../kit/changes.ts'
import { askingRest, outcomeOf, type PromptReply, patiently } from '../kit/prompts.ts'
import { isSoak } from '../kit/soak.ts'

/** Writes of prompts that meet: one after the other, none lost, none beyond the allowance. */

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

/** As `patiently`, for a mutation. */
async function patientlyAsk(text: string): Promise<GraphAnswer> {
  const answer = await ask(text)
  if (faultIn(answer) !== 'rate_limited') return answer
  await sleep(1000)
  return patientlyAsk(text)
}

beforeEach(async () => {
  // It tracks 50 prompts.
  workspace = await api.workspace('starter')
  key = (await workspace.key({ scopes: ['read'], capabilities: ['prompt:draft'] })).key
  project = await workspace.project()
})

const times = <Result>(count: number, send: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => send(n)))

/** How often each outcome came. */
function tally(outcomes: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(outcomes, (outcome) => outcome)
  return Object.fromEntries([...groups].map(([outcome, all]) => [outcome, all.length]))
}

const outcomes = (replies: readonly PromptReply[]) => tally(replies.map(outcomeOf))

async function added(): Promise<string> {
  const { body } = await rest('POST', '/prompts', { prompts: [{ text: 'first?' }] })
  return body.prompts[0]?.id ?? ''
}

const textsOf = async (promptId: string) => {
  const rows = await api.db.promptRevision.findMany({
    where: { promptId },
    orderBy: { revision: 'asc' },
  })
  return rows.map(({ revision, text }) => `${revision} ${text}`)
}

describe('a hundred updates at once', () => {
  test('with one revision: one wins, all others are told its revision', async () => {
    const id = await added()
    const replies = await times(100, (n) =>
      patiently(() =>
        rest('PATCH', `/prompts/${id}`, { text: `q${n}` }, { headers: { 'if-match': '"1"' } }),
      ),
    )
    expect(outcomes(replies)).toEqual({ '200 ok': 1, '409 stale_revision': 99 })
    const winner = replies.find(({ status }) => status === 200)?.body.prompt
    const stale = replies.filter(({ status }) => status === 409)
    expect(new Set(stale.map(({ body }) => body.currentRevision))).toEqual(new Set([2]))
    expect(await textsOf(id)).toEqual(['1 first?', `2 ${winner?.text}`])
    expect((await rest('GET', `/prompts/${id}`)).body.prompt).toEqual(winner)
  })

  test('with one revision, through GraphQL, each with a key of its own: one wins too', async () => {
    const id = await added()
    const answers = await times(100, (n) =>
      patientlyAsk(
        `mutation { updatePrompt(projectId: "${project}", promptId: "${id}", text: "q${n}", expectedRevision: 1, idempotencyKey: "k${n}") { prompt { currentRevision } } }`,
      ),
    )
    expect(tally(answers.map(faultIn))).toEqual({ none: 1, stale_revision: 99 })
    expect(await textsOf(id)).toHaveLength(2)
  })

  if (isSoak) {
    test('with none: each gets a revision of its own, and none is lost', async () => {
      const id = await added()
      const replies = await times(100, (n) =>
        patiently(() => rest('PATCH', `/prompts/${id}`, { text: `q${n}` })),
      )
      expect(outcomes(replies)).toEqual({ '200 ok': 100 })
      const written = replies.map(
        ({ body: { prompt } }) => `${prompt.currentRevision} ${prompt.text}`,
      )
      expect(new Set(await textsOf(id))).toEqual(new Set(['1 first?', ...written]))
      expect(await api.db.prompt.findUnique({ where: { id } })).toMatchObject({
        currentRevision: 101,
      })
      const edits = await api.db.auditEntry.count({ where: { subjectId: id } })
      expect(edits).toBe(101)
    })
  }

  test('of tracking: the state changes once', async () => {
    const id = await added()
    const replies = await times(20, () =>
      patiently(() => rest('POST', `/prompts/${id}/tracking`, { action: 'archive' })),
    )
    expect(outcomes(replies)).toEqual({ '200 ok': 20 })
    expect(new Set(replies.map(({ body }) => body.prompt.currentRevision))).toEqual(new Set([2]))
    expect(await textsOf(id)).toHaveLength(2)
  })
})

describe('the allowance', () => {
  const tracked = () => api.db.prompt.count({ where: { project: { workspaceId: workspace.id } } })
  const batch = (size: number) => ({ prompts: Array.from({ length: size }, () => ({ text: 'x' })) })

  if (isSoak) {
    test('holds against batches that come at once, of several projects', async () => {
      const other = await workspace.project()
      const intoOther = askingRest(
        api,
        () => other,
        () => key,
      )
      const replies = await times(20, (n) =>
        patiently(() =>
          (n % 2 ? rest : intoOther)('POST', '/prompts', batch(10), {
            headers: { 'idempotency-key': `k${n}` },
          }),
        ),
      )
      expect(outcomes(replies)).toEqual({ '200 ok': 5, '403 quota_exceeded': 15 })
      expect(await tracked()).toBe(50)
      const refused = replies.filter(({ status }) => status === 403)
      expect(new Set(refused.map(({ body }) => body.current))).toEqual(new Set([50]))
    })
  }

  test('holds against a restore and an addition that come at once', async () => {
    const data = Array.from({ length: 10 }, () => ({ projectId: project, text: 'x' }))
    const archived = await api.db.prompt.createManyAndReturn({
      data: data.map((each) => ({ ...each, isTracked: false })),
    })
    await api.db.prompt.createMany({
      data: Array.from({ length: 45 }, () => data)
        .flat()
        .slice(0, 45),
    })
    const replies = await times(20, (n) => {
      const id = archived[n]?.id
      return id === undefined
        ? patiently(() => rest('POST', '/prompts', batch(1)))
        : patiently(() => rest('POST', `/prompts/${id}/tracking`, { action: 'restore' }))
    })
    expect(outcomes(replies)).toEqual({ '200 ok': 5, '403 quota_exceeded': 15 })
    const where = { projectId: project, isTracked: true }
    expect(await api.db.prompt.count({ where })).toBe(50)
  })
})

describe('what goes meanwhile', () => {
  /** Does `change`, and keeps its transaction open while the request is sent and waits for it. */
  async function meanwhile(
    change: (tx: Parameters<Parameters<typeof api.db.$transaction>[0]>[0]) => Promise<unknown>,
    send: () => Promise<PromptReply>,
  ): Promise<PromptReply> {
    const { reply } = await api.db.$transaction(async (tx) => {
      await change(tx)
      const sent = send()
      await sleep(500)
      return { reply: sent }
    })
    return reply
  }

  test('a project that is deleted takes no prompt any more', async () => {
    const reply = await meanwhile(
      (tx) => tx.project.delete({ where: { id: project } }),
      () => rest('POST', '/prompts', { prompts: [{ text: 'x' }] }),
    )
    expect(outcomeOf(reply)).toBe('404 not_found')
  })

  test('a topic that is removed is none any more, and nothing is added', async () => {
    const { id } = await api.db.topic.create({ data: { projectId: project, name: 'A' } })
    const reply = await meanwhile(
      (tx) => tx.topic.delete({ where: { id } }),
      () => rest('POST', '/prompts', { prompts: [{ text: 'x', topicIds: [id] }] }),
    )
    expect(outcomeOf(reply)).toBe('404 not_found')
    expect(await api.db.prompt.count({ where: { projectId: project } })).toBe(0)
  })

  test('a prompt that is deleted with its project is not found', async () => {
    const id = await added()
    const reply = await meanwhile(
      (tx) => tx.project.delete({ where: { id: project } }),
      () => rest('PATCH', `/prompts/${id}`, { text: 'x' }),
    )
    expect(outcomeOf(reply)).toBe('404 not_found')
  })
})
