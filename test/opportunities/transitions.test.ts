import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFound, afterGone, newOpportunity } from '../../resolvers/opportunities/transitions.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { dayMs } from '../kit/day.ts'
import {
  addIssues,
  evaluate,
  evaluationTime,
  makeOpportunities,
  stored,
} from '../kit/work/opportunities.ts'

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
  return { project, issueId }
}

/** A project with an opportunity. */
async function projectWithOpportunity() {
  const project = await workspace.project()
  const [opportunityId = ''] = await makeOpportunities(api.db, project, 1)
  return { project, opportunityId }
}

const row1 = { id: randomUUID(), projectId: randomUUID() }
const found = (impact: 'high' | 'critical' = 'high') => ({
  rule: 'site-issue',
  subject: 'a',
  title: 'A title',
  description: 'Text.',
  source: 'audits',
  category: 'technical',
  scope: 'site',
  actionType: 'fix_site',
  impact,
  score: impact === 'high' ? 50 : 75,
  evidence: [],
  effort: 'low' as const,
  effectMetric: 'siteScore',
  effectValue: 10,
  effectAnswers: 3,
  effectShare: 1,
  effectReason: 'Why.',
})

/** What an evaluation knows, so many hours after the first. */
const at = (count: number) => ({
  now: hours(count),
  windowStart: new Date(hours(count).getTime() - 30 * dayMs),
})

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
    await evaluate(api, project)
    const before = await stored(api, project)
    expect(before).toMatchObject([{ status: 'active', createdAt: evaluationTime, goneAt: null }])
    expect(await evaluate(api, project, hours(24))).toBe(0)
    expect(await stored(api, project)).toEqual(before)
  })

  test('of facts that go writes that they are gone', async () => {
    const { project, issueId } = await projectWithIssue()
    await evaluate(api, project)
    await api.db.issue.update({ where: { id: issueId }, data: { status: 'resolved' } })
    expect(await evaluate(api, project, hours(1))).toBe(1)
    expect(await stored(api, project)).toMatchObject([
      { status: 'active', goneAt: hours(1), updatedAt: evaluationTime },
    ])
  })

  test('resolves what is gone at two evaluations 20 hours apart, and reopens it', () => {
    const row = newOpportunity(row1, found(), at(0))
    const gone = afterGone(row, at(1))
    expect(afterGone(gone, at(20))).toMatchObject({ status: 'active', goneAt: hours(1) })
    // Found in between: the first evaluation counts no longer.
    const again = afterFound(gone, found(), at(21))
    expect(again).toMatchObject({ status: 'active', goneAt: null })
    const later = afterGone(again, at(22))
    expect(afterGone(later, at(41))).toMatchObject({ status: 'active' })
    const resolved = afterGone(later, at(42))
    expect(resolved).toMatchObject({
      status: 'auto_resolved',
      autoResolvedAt: hours(42),
      updatedAt: hours(42),
    })
    expect(afterFound(resolved, found(), at(43))).toMatchObject({
      status: 'active',
      autoResolvedAt: null,
      goneAt: null,
      createdAt: evaluationTime,
      updatedAt: hours(43),
    })
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
    const of = await projectWithOpportunity()
    expect(await change('completeOpportunity', of)).toMatchObject({
      changed: true,
      opportunity: { status: 'completed' },
    })
    expect(await change('completeOpportunity', of)).toMatchObject({ changed: false })
    const row = newOpportunity(row1, found(), at(0))
    const completed = { ...row, status: 'completed' as const, completedAt: hours(0) }
    expect(afterFound(completed, found(), at(30 * 24))).toEqual(completed)
    expect(afterFound(completed, found(), at(31 * 24))).toMatchObject({
      status: 'active',
      completedAt: null,
    })
  })

  test('to dismissed lasts until the impact rises', async () => {
    const of = await projectWithOpportunity()
    expect(await change('dismissOpportunity', of, reason)).toEqual({
      changed: true,
      opportunity: { status: 'dismissed', dismissedReason: 'Not ours.' },
    })
    expect(await change('dismissOpportunity', of, reason)).toMatchObject({ changed: false })
    const [dismissed] = await stored(api, of.project)
    expect(dismissed).toMatchObject({ status: 'dismissed', dismissedImpact: 'high' })
    const row = {
      ...newOpportunity(row1, found(), at(0)),
      status: 'dismissed' as const,
      dismissedAt: hours(0),
      dismissedImpact: 'high' as const,
    }
    expect(afterFound(row, found(), at(24))).toMatchObject({ status: 'dismissed' })
    expect(afterFound(row, found('critical'), at(24))).toMatchObject({
      status: 'active',
      impact: 'critical',
      dismissedAt: null,
      dismissedReason: null,
    })
  })

  test('by hand leads from active to the others and back, on the trail', async () => {
    const of = await projectWithOpportunity()
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

  test('gives an opportunity to a member, on the trail, and to nobody else', async () => {
    const { project, opportunityId } = await projectWithOpportunity()
    const { workspaceId } = await api.db.project.findUniqueOrThrow({ where: { id: project } })
    const { userId } = await api.db.membership.findFirstOrThrow({ where: { workspaceId } })
    const assign = async (user: string) => {
      const args = `projectId: "${project}", opportunityId: "${opportunityId}", userId: ${user}`
      const answer = await graph(
        `mutation { assignOpportunity(${args}) { changed opportunity { assignee { userId } } } }`,
      )
      const fault = faultIn(answer)
      return fault === 'none' ? answer.data.assignOpportunity : fault
    }
    const given = { opportunity: { assignee: { userId } } }
    expect(await assign(`"${userId}"`)).toEqual({ changed: true, ...given })
    expect(await assign(`"${userId}"`)).toEqual({ changed: false, ...given })
    expect(await assign(`"${randomUUID()}"`)).toBe('invalid_argument userId')
    expect(await assign('null')).toEqual({ changed: true, opportunity: { assignee: null } })
    const trail = await api.db.auditEntry.findMany({
      where: { projectId: project, subjectType: 'opportunity' },
      orderBy: { id: 'asc' },
    })
    expect(trail).toMatchObject([
      { action: 'opportunity.assign', before: { assigneeId: null }, after: { assigneeId: userId } },
      { action: 'opportunity.assign', before: { assigneeId: userId }, after: { assigneeId: null } },
    ])
  })

  test('is refused without a reason, without write, on a pitch project and elsewhere', async () => {
    const of = await projectWithOpportunity()
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
