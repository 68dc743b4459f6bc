import DataLoader from 'dataloader'
import {
  type OpportunityStatus,
  opportunitySources,
  opportunityStatuses,
  ruleIds,
  rules,
} from '../../core/opportunities/rules.ts'
import { type Impact, impacts } from '../../core/opportunities/score.ts'
import { issuesById } from '../../resolvers/issues/issues.ts'
import type { Evidence, Opportunity } from '../../resolvers/opportunities/opportunities.ts'
import { issueType } from '../issues/issue.ts'
import { builder } from '../kit/builder.ts'
import { loaders, oncePerRequest } from '../kit/context.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { brandLoaders, competitorType } from '../projects/tracked-brands.ts'
import { promptLoaders, promptType } from '../prompts/prompt.ts'
import { topicType } from '../topics/topics.ts'
import {
  opportunityAction,
  opportunityCategory,
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

/** By issue id. Without a cache: one request may change an issue and read it. */
export const issueLoader = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => issuesById(db, ids), { cache: false }),
)

type OfProject = Evidence & { readonly projectId: string }

export const opportunityEvidence = builder.objectRef<OfProject>('OpportunityEvidence').implement({
  description: 'A count behind an opportunity, with the object that it belongs to.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'Meaning of the count, in words.' }),
    count: t.exposeFloat('count', { description: 'The counted number, such as answers.' }),
    prompt: t.field({
      type: promptType,
      nullable: true,
      description: 'Prompt whose answers are counted; null for other counts.',
      resolve: ({ promptId }, _args, context) =>
        promptId === undefined ? null : promptLoaders(context).prompt.load(promptId),
    }),
    topic: t.field({
      type: topicType,
      nullable: true,
      description: 'Topic whose answers are counted; null for other counts.',
      resolve: async ({ projectId, topicId }, _args, context) => {
        if (topicId === undefined) return null
        const topics = await loaders(context).topics.load(projectId)
        return topics.find(({ id }) => id === topicId) ?? null
      },
    }),
    competitor: t.field({
      type: competitorType,
      nullable: true,
      description: 'Competitor that the answers name; null for other counts.',
      resolve: async ({ projectId, competitorId }, _args, context) => {
        if (competitorId === undefined) return null
        const competitors = await brandLoaders(context).competitors.load(projectId)
        return competitors.find(({ id }) => id === competitorId) ?? null
      },
    }),
    issue: t.field({
      type: issueType,
      nullable: true,
      description: 'Issue that is counted; null for other counts.',
      resolve: ({ issueId }, _args, context) =>
        issueId === undefined ? null : issueLoader(context).load(issueId),
    }),
    domain: t.exposeString('domain', {
      nullable: true,
      description: 'Domain that the answers cite; null for other counts.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'URL of the counted page; null for other counts.',
    }),
    page: t.field({
      type: pageType,
      nullable: true,
      description: 'Page of the site at `url`; null for other counts, and for an unknown page.',
      resolve: ({ projectId, url }, _args, context) =>
        url === undefined ? null : pageLoaders(context).byUrl.load({ projectId, url }),
    }),
    query: t.exposeString('query', {
      nullable: true,
      description: 'Text that AI assistants or people searched for; null for other counts.',
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
      resolve: ({ source }) => source as never,
      description: `Kind of facts that the rule reads: ${quoted(opportunitySources)}.`,
    }),
    category: t.field({
      type: opportunityCategory,
      resolve: ({ category }) => category as never,
      description: 'Kind of work. Opportunities of issues have the category of the issue.',
      restDescription:
        'Kind of work: `content`, `outreach`, `prompts`, `technical` or `aiReadiness`. Opportunities of issues have the category of the issue.',
    }),
    scope: t.field({
      type: opportunityScope,
      resolve: ({ scope }) => scope as never,
      description: `Kind of subject: ${quoted([...new Set(ruleIds.flatMap((id) => [...rules[id].scopes]))])}.`,
    }),
    actionType: t.field({
      type: opportunityAction,
      resolve: ({ actionType }) => actionType as never,
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
      resolve: ({ rule }) => rule as never,
      description: 'Rule that found the opportunity.',
    }),
    score: t.exposeFloat('score', {
      view: 'graph',
      description: 'Score of the opportunity, 0 to 100. Its level is the impact.',
    }),
    evidence: t.field({
      type: [opportunityEvidence],
      view: 'graph',
      description: 'Counts behind the opportunity, with the objects that they belong to.',
      resolve: ({ projectId, evidence }) => evidence.map((entry) => ({ ...entry, projectId })),
    }),
  }),
})
