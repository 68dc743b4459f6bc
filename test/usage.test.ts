import { beforeAll, describe, expect, test } from 'vitest'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import { usage } from '../resolvers/usage.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { countStatements } from './kit/catalog-statements.ts'
import { asking } from './kit/changes.ts'
import { clearOfMidnight } from './kit/day.ts'

await clearOfMidnight()

const api = useApi()

interface Member {
  readonly workspace: TestWorkspace
  readonly project: string
  readonly key: string
}

async function enter(plan: 'starter' | 'growth' | 'enterprise'): Promise<Member> {
  const workspace = await api.workspace(plan)
  const project = await workspace.project()
  return { workspace, project, key: (await workspace.key()).key }
}

const read = async ({ project, key }: Member) =>
  (await (await api.get(`/api/mcp/projects/${project}/usage`, key)).json()) as Record<
    string,
    unknown
  >

/** The start of the next UTC month by the calendar. */
function nextMonth(): string {
  const [year = 0, month = 0] = new Date().toISOString().split('-').map(Number)
  const [y, m] = month === 12 ? [year + 1, 1] : [year, month + 1]
  return `${y}-${String(m).padStart(2, '0')}-01T00:00:00.000Z`
}

describe('usage', () => {
  let starter: Member

  beforeAll(async () => {
    starter = await enter('starter')
    const elsewhere = await starter.workspace.project()
    const strangers = await enter('starter')
    const prompts = [
      { projectId: starter.project, text: 'counts' },
      { projectId: elsewhere, text: 'counts too' },
      { projectId: elsewhere, text: 'archived', isTracked: false },
      { projectId: elsewhere, text: 'imported', isImported: true },
      { projectId: strangers.project, text: "another workspace's" },
    ]
    await api.db.prompt.createMany({ data: prompts })
  })

  test('is that of the whole workspace, with the limits of its plan', async () => {
    const resetsAt = nextMonth()
    const quotas = {
      prompts: { current: 2, limit: 50, resetsAt: null },
      audits: { current: 0, limit: 10, resetsAt },
      reports: { current: 0, limit: 10, resetsAt },
    }
    const body = await read(starter)
    expect(body).toEqual({
      project: { id: starter.project, name: 'Acme', domain: 'acme.com' },
      plan: 'starter',
      quotas,
      auditPagesPerRequest: 25,
    })
    expect(Object.keys(body)).toEqual(['project', 'plan', 'quotas', 'auditPagesPerRequest'])
    const fields = 'current limit resetsAt'
    const selected = `plan auditPagesPerRequest quotas { prompts { ${fields} } audits { ${fields} } reports { ${fields} } }`
    const { data } = await asking(
      api,
      () => starter.key,
    )(`{ project(id: "${starter.project}") { usage { ${selected} } } }`)
    expect(data.project?.usage).toEqual({ plan: 'starter', quotas, auditPagesPerRequest: 25 })
  })

  test('has no limit where the plan has none', async () => {
    expect(await read(await enter('enterprise'))).toMatchObject({
      plan: 'enterprise',
      quotas: {
        prompts: { current: 0, limit: null, resetsAt: null },
        audits: { limit: null },
        reports: { limit: null },
      },
      auditPagesPerRequest: 500,
    })
  })

  test('is the same from every project of the workspace, and counted once for all', async () => {
    const ask = (limit: number) => {
      const text = `{ projects(first: ${limit}) { nodes { usage { quotas { prompts { current } } } } } }`
      return countStatements(api, starter.key, text)
    }
    const [one, both] = [await ask(1), await ask(2)]
    const each = { usage: { quotas: { prompts: { current: 2 } } } }
    expect(one.data.projects).toEqual({ nodes: [each] })
    expect(both.data.projects).toEqual({ nodes: [each, each] })
    expect(both.statements).toBe(one.statements)
  })

  test.each([
    ['2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31T12:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ])('of the month of %s begins anew at %s', (now, resetsAt) => {
    const scope = { project: { plan: 'growth' }, now: new Date(now) } as ProjectScope
    const { quotas } = usage(scope, { prompts: 1, audits: 2, reports: 3 })
    const limit = 50
    expect(quotas).toEqual({
      prompts: { current: 1, limit: 250, resetsAt: null },
      audits: { current: 2, limit, resetsAt: new Date(resetsAt) },
      reports: { current: 3, limit, resetsAt: new Date(resetsAt) },
    })
  })
})
