import { type EffectMetric, effectLevelOf, effectText } from '../../core/opportunities/effect.ts'
import {
  type OpportunityStatus,
  opportunitySources,
  opportunityStatuses,
  ruleIds,
  rules,
} from '../../core/opportunities/rules.ts'
import { type Impact, impacts } from '../../core/opportunities/score.ts'
import { promptOf } from '../../core/opportunities/searches.ts'
import type { Opportunity } from '../../resolvers/opportunities/opportunities.ts'
import { outcomeOf } from '../../resolvers/opportunities/outcome.ts'
import { scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { membersOf, memberType } from '../members/members.ts'
import { opportunityEvidence } from './evidence.ts'
import { outcomeType } from './outcome.ts'
import {
  effectLevel,
  effectMetric,
  opportunityAction,
  opportunityCategory,
  opportunityEffort,
  opportunityRule,
  opportunityScope,
  opportunitySource,
} from './words.ts'

const quoted = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ')

const impactMeanings: Record<Impact, string> = {
  critical: 'A score of 70 or more.',
  high: 'A score from 50 to below 70.',
  medium: 'A score from 30 to below 50.',
  low: 'A score below 30.',
}

export const opportunityImpact = builder.enumType('OpportunityImpact', {
  description: 'How much an opportunity can improve, by its score.',
  values: Object.fromEntries(
    impacts.map((name) => [name, { description: impactMeanings[name] }]),
  ) as Record<Impact, { description: string }>,
})

const statusMeanings: Record<OpportunityStatus, string> = {
  active: 'The rule holds, and nobody has completed or dismissed the opportunity.',
  completed: 'A person has completed the opportunity.',
  dismissed: 'A person has dismissed the opportunity, until its impact rises.',
  auto_resolved: 'The rule held no longer at two evaluations at least 20 hours apart.',
}

export const opportunityStatus = builder.enumType('OpportunityStatus', {
  description: 'The state of an opportunity.',
  values: Object.fromEntries(
    opportunityStatuses.map((name) => [name, { description: statusMeanings[name] }]),
  ) as Record<OpportunityStatus, { description: string }>,
})

const effectType = builder.objectRef<Opportunity>('OpportunityEffect').implement({
  description: 'What an opportunity can change, at most, by facts of 30 days.',
  fields: (t) => ({
    metric: t.field({
      type: effectMetric,
      resolve: (row) => effectMetric.of(row.effectMetric as EffectMetric),
      description: 'The number that it can move.',
    }),
    value: t.exposeFloat('effectValue', {
      description: 'Points, answers or impressions, by `metric`.',
    }),
    answers: t.exposeFloat('effectAnswers', {
      description:
        'Answers of the 30 days that it can change. The order of opportunities goes by them.',
    }),
    share: t.exposeFloat('effectShare', {
      description: 'Percent of the answers of the 30 days that these are.',
    }),
    level: t.field({
      type: effectLevel,
      description: 'How large the effect is, by `share`.',
      resolve: ({ effectShare }) => effectLevelOf(effectShare),
    }),
    text: t.string({
      description: 'The effect in a few words, such as "up to +2.1 points of visibility".',
      resolve: ({ effectMetric: metric, effectValue: value }) =>
        effectText({ metric: metric as EffectMetric, value }),
    }),
    reason: t.string({
      description: 'Why the value is what it is, in one sentence.',
      resolve: ({ effectReason }) => effectReason ?? '',
    }),
  }),
})

/** The first fields are those of the contract, in its order. The order is that of the columns of the CSV export. */
export const opportunityType = builder.objectRef<Opportunity>('Opportunity').implement({
  description: 'A suggestion that a rule made of facts of the project.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'UUID of the opportunity. A rule and its subject always have the same id.',
    }),
    title: t.exposeString('title', { description: 'The opportunity in one line.' }),
    description: t.exposeString('description', {
      description: 'The opportunity with its counts and its window.',
    }),
    source: t.field({
      type: opportunitySource,
      resolve: ({ source }) => opportunitySource.of(source),
      description: `Kind of facts that the rule reads: ${quoted(opportunitySources)}.`,
    }),
    category: t.field({
      type: opportunityCategory,
      resolve: ({ category }) => opportunityCategory.of(category),
      description: 'Kind of work. Opportunities of issues have the category of the issue.',
      restDescription:
        'Kind of work: `content`, `outreach`, `prompts`, `technical` or `aiReadiness`. Opportunities of issues have the category of the issue.',
    }),
    scope: t.field({
      type: opportunityScope,
      resolve: ({ scope }) => opportunityScope.of(scope),
      description: `Kind of subject: ${quoted([...new Set(ruleIds.flatMap((id) => [...rules[id].scopes]))])}.`,
    }),
    actionType: t.field({
      type: opportunityAction,
      resolve: ({ actionType }) => opportunityAction.of(actionType),
      description: `Action to take: ${quoted([...new Set(ruleIds.flatMap((id) => [...rules[id].actions]))])}.`,
    }),
    impact: t.expose('impact', {
      type: opportunityImpact,
      description: 'How much the opportunity can improve, by its score.',
    }),
    status: t.expose('status', {
      type: opportunityStatus,
      description: 'State of the opportunity.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when a person completed the opportunity; null in other states.',
    }),
    dismissedAt: t.expose('dismissedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when a person dismissed the opportunity; null in other states.',
    }),
    autoResolvedAt: t.expose('autoResolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the opportunity was found gone for good; else null.',
    }),
    dismissedReason: t.exposeString('dismissedReason', {
      nullable: true,
      description: 'Reason of the person who dismissed the opportunity; null in other states.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time of the evaluation that first found the opportunity; never changes.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time when title, description, impact or status last changed.',
    }),
    rule: t.field({
      type: opportunityRule,
      view: 'graph',
      resolve: ({ rule }) => opportunityRule.of(rule),
      description: 'Rule that found the opportunity.',
    }),
    score: t.exposeFloat('score', {
      view: 'graph',
      description: 'Score of the opportunity, 0 to 100. Its level is the impact.',
    }),
    effect: t.field({
      type: effectType,
      nullable: true,
      view: 'graph',
      resolve: (row) => (row.effectMetric === null ? null : row),
      description: 'What the opportunity can change, at most. Null until the rules have run again.',
    }),
    promptText: t.string({
      nullable: true,
      view: 'graph',
      description: 'Text of the prompt to track; null for other actions.',
      resolve: ({ actionType, evidence: [first] }) =>
        actionType === 'track_prompt' && first?.query ? promptOf(first.query) : null,
    }),
    effort: t.field({
      type: opportunityEffort,
      view: 'graph',
      resolve: ({ effort }) => effort,
      description: 'How much work the action is.',
    }),
    assignee: t.field({
      type: memberType,
      nullable: true,
      view: 'graph',
      description: 'Member of the workspace who works on it; null for nobody.',
      resolve: async ({ projectId, assigneeId }, _args, context) => {
        if (assigneeId === null) return null
        const { project } = await scopeOf(context, projectId)
        const members = await membersOf(context).load(project.workspaceId)
        return members.find(({ userId }) => userId === assigneeId) ?? null
      },
    }),
    outcome: t.field({
      type: outcomeType,
      nullable: true,
      view: 'graph',
      description:
        'What came of it: its metric in the 30 days before it was done or resolved, and in up to 30 days after. Null for others.',
      resolve: async (row, _args, context) => outcomeOf(await scopeOf(context, row.projectId), row),
    }),
    evidence: t.field({
      type: [opportunityEvidence],
      view: 'graph',
      description: 'Counts behind the opportunity, with the objects that they belong to.',
      resolve: ({ projectId, evidence }) => evidence.map((entry) => ({ ...entry, projectId })),
    }),
  }),
})
