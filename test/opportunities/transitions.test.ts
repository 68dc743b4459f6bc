import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { dayMs } from '../kit/day.ts'
import { addIssues, answers, evaluate, evaluationTime, stored } from '../kit/work/opportunities.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
})

const graph = asking(api, () => key)

const hours = (count: number) => new Date(evaluationTime.getTime() + count * 3_600_000)

/** A project with an issue of the site: the rule `site-issue` holds while it is open, on any day. */
async function projectWithIssue() {
  const project = await workspace.project()
  const [issueId = ''] = await addIssues(api, project, [{ check: 'ai-search-bots-blocked' }])
  await evaluate(api, project)
  const [row] = await stored(api, project)
  return { project, issueId, opportunityId: row?.id ?? '' }
}

const setIssue = (id: string, status: 'open' | 'resolved') =>
  api.db.issue.update({ where: { id }, data: { status } })

const stateOf = async (project: string) => {
  const [row] = await stored(api, project)
  return row?.status
}

/** Makes a transition, and gives what it answers. */
async function change(
  name: string,
  { project, opportunityId }: { project: string; opportunityId: string },
  more = '',
  as = key,
) {
  const args = `projectId: "${project}", opportunityId: "${opportunityId}"${more}`
  const answer = await graph(
    `mutation { ${name}(${args}) { changed opportunity { status dismissedReason } } }`,
    as,
  )
  const fault = faultIn(answer)
  return fault === 'none' ? answer.data[name] : fault
}

const reason = ', reason: " Not ours. "'

describe('an evaluation', () => {
  test('of the same facts writes nothing', async () => {
    const { project } = await projectWithIssue()
    const before = await stored(api, project)
    expect(before).toMatchObject([{ status: 'active', createdAt: evaluationTime, goneAt: null }])
    expect(await evaluate(api, project, hours(24))).toBe(0)
    expect(await stored(api, project)).toEqual(before)
  })

  test('resolves what is gone at two evaluations 20 hours apart, and reopens it', async () => {
    const { project, issueId } = await projectWithIssue()
    await setIssue(issueId, 'resolved')
    await evaluate(api, project, hours(1))
    await evaluate(api, project, hours(20))
    expect(await stored(api, project)).toMatchObject([
      { status: 'active', goneAt: hours(1), updatedAt: evaluationTime },
    ])
    await setIssue(issueId, 'open')
    await evaluate(api, project, hours(21))
    await setIssue(issueId, 'resolved')
    // Found in between: the first evaluation counts no more.
    await evaluate(api, project, hours(22))
    expect(await stateOf(project)).toBe('active')
    await evaluate(api, project, hours(42))
    expect(await stored(api, project)).toMatchObject([
      { status: 'auto_resolved', autoResolvedAt: hours(42), updatedAt: hours(42) },
    ])
    await setIssue(issueId, 'open')
    await evaluate(api, project, hours(43))
    expect(await stored(api, project)).toMatchObject([
      {
        status: 'active',
        autoResolvedAt: null,
        goneAt: null,
        createdAt: evaluationTime,
        updatedAt: hours(43),
      },
    ])
  })

  test('keeps 50 of a rule active, and fills the place of a completed one', async () => {
    const project = await workspace.project()
    const issues = Array.from({ length: 52 }, () => ({ check: 'https-missing' }))
    await addIssues(api, project, issues)
    expect(await evaluate(api, project)).toBe(50)
    const [first] = await stored(api, project)
    await change('completeOpportunity', { project, opportunityId: first?.id ?? '' })
    expect(await evaluate(api, project, hours(1))).toBe(1)
    expect(
      await api.db.opportunity.count({ where: { projectId: project, status: 'active' } }),
    ).toBe(50)
  })
})

describe('a transition', () => {
  test('to completed ends when the rule holds over a window that began afterwards', async () => {
    const of = await projectWithIssue()
    expect(await change('completeOpportunity', of)).toMatchObject({
      changed: true,
      opportunity: { status: 'completed' },
    })
    expect(await change('completeOpportunity', of)).toMatchObject({ changed: false })
    const [row] = await stored(api, of.project)
    const completedMs = row?.completedAt?.getTime() ?? 0
    await evaluate(api, of.project, new Date(completedMs + 30 * dayMs))
    expect(await stateOf(of.project)).toBe('completed')
    await evaluate(api, of.project, new Date(completedMs + 31 * dayMs))
    expect(await stored(api, of.project)).toMatchObject([{ status: 'active', completedAt: null }])
  })

  test('to dismissed lasts until the impact rises', async () => {
    const of = await projectWithIssue()
    expect(await change('dismissOpportunity', of, reason)).toEqual({
      changed: true,
      opportunity: { status: 'dismissed', dismissedReason: 'Not ours.' },
    })
    expect(await change('dismissOpportunity', of, reason)).toMatchObject({ changed: false })
    await evaluate(api, of.project, hours(24))
    await evaluate(api, of.project, hours(48))
    expect(await stateOf(of.project)).toBe('dismissed')
    // 14 answers give 69.6, which is high as before; 15 give 70.07, which is critical.
    const cite = (times: number, day: number) =>
      workspace.load(
        of.project,
        answers(times, { citations: [{ url: 'https://acme.com/' }] }, { day }),
      )
    await cite(14, 10)
    await evaluate(api, of.project)
    expect(await stateOf(of.project)).toBe('dismissed')
    await cite(1, 11)
    await evaluate(api, of.project)
    expect(await stored(api, of.project, 'site-issue')).toMatchObject([
      { status: 'active', impact: 'critical', dismissedAt: null, dismissedReason: null },
    ])
  })

  test('by hand leads from active to the others and back, on the trail', async () => {
    const of = await projectWithIssue()
    expect(await change('reopenOpportunity', of)).toMatchObject({ changed: false })
    await change('dismissOpportunity', of, reason)
    expect(await change('completeOpportunity', of)).toBe('invalid_argument opportunityId')
    expect(await change('reopenOpportunity', of)).toMatchObject({
      changed: true,
      opportunity: { status: 'active', dismissedReason: null },
    })
    const trail = await api.db.auditEntry.findMany({
      where: { projectId: of.project, subjectType: 'opportunity' },
      orderBy: { id: 'asc' },
    })
    expect(trail).toMatchObject([
      {
        action: 'opportunity.dismiss',
        subjectId: of.opportunityId,
        before: { status: 'active', dismissedReason: null },
        after: { status: 'dismissed', dismissedReason: 'Not ours.' },
      },
      { action: 'opportunity.reopen', after: { status: 'active', dismissedReason: null } },
    ])
  })

  test('is refused without a reason, without write, on a pitch project and elsewhere', async () => {
    const of = await projectWithIssue()
    const tooLong = `, reason: "${'x'.repeat(501)}"`
    expect(await change('dismissOpportunity', of, ', reason: " "')).toBe('invalid_argument reason')
    expect(await change('dismissOpportunity', of, tooLong)).toBe('invalid_argument reason')
    const reader = (await workspace.key()).key
    expect(await change('completeOpportunity', of, '', reader)).toBe('missing_scope')
    const project = await workspace.project({ kind: 'pitch' })
    expect(await change('completeOpportunity', { ...of, project })).toBe('pitch_not_supported')
    const other = await workspace.project()
    expect(await change('completeOpportunity', { ...of, project: other })).toBe('not_found')
    expect(await change('reopenOpportunity', { ...of, opportunityId: 'abc' })).toBe('not_found')
    expect(await stateOf(of.project)).toBe('active')
  })
})
