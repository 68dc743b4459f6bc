import type { ObjectRef } from '@pothos/core'
import { opportunitySources, opportunityStatuses } from '../../core/opportunities/rules.ts'
import { impacts } from '../../core/opportunities/score.ts'
import {
  type ListedOpportunity,
  type OpportunityArgs,
  type OpportunityOrder,
  opportunities,
} from '../../resolvers/opportunities/opportunities.ts'
import { inGraph, pageArgs } from '../kit/args.ts'
import { builder, type Types } from '../kit/builder.ts'
import { countMap, countMapSchema, keyCount } from '../kit/counts.ts'
import { filterInput } from '../kit/inputs.ts'
import { listOf } from '../kit/lists/connection.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { opportunityImpact, opportunityStatus, opportunityType } from './opportunity.ts'
import { opportunitySort, opportunitySource } from './words.ts'

type List = Awaited<ReturnType<typeof opportunities>>

const byImpactSchema = {
  type: 'object',
  properties: Object.fromEntries(impacts.map((name) => [name, { type: 'integer', minimum: 0 }])),
  required: [...impacts],
  additionalProperties: false,
}

const summary = builder.objectRef<List['summary']>('OpportunitySummary').implement({
  description: 'Counts of all opportunities that match the filters.',
  fields: (t) => ({
    total: t.expose('total', {
      type: 'Int',
      description: 'Opportunities that match the filters.',
    }),
    bySource: t.field({
      type: 'JSON',
      view: 'rest',
      json: countMapSchema,
      description: 'Opportunities by source. Sources without opportunities are absent.',
      resolve: ({ bySource }) => countMap(bySource),
    }),
    byImpact: t.field({
      type: 'JSON',
      view: 'rest',
      json: byImpactSchema,
      description: 'Opportunities by impact, always for all four.',
      resolve: ({ byImpact }) => countMap(byImpact),
    }),
    sourceCounts: t.expose('bySource', {
      type: [keyCount],
      view: 'graph',
      description: 'Opportunities by source, most first. Sources without any are absent.',
    }),
    impactCounts: t.expose('byImpact', {
      type: [keyCount],
      view: 'graph',
      description: 'Opportunities by impact, highest impact first.',
    }),
  }),
})

// The rows of the list have the values that they are sorted by too: they are objects of the same type.
const listed = opportunityType as unknown as ObjectRef<Types, ListedOpportunity>

const opportunityList = listOf(builder.objectRef<List>('OpportunityList'), listed, {
  description: 'A page of opportunities.',
  rows: 'opportunities',
  sortKey: ({ sortedBy }) => sortedBy,
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.expose('summary', {
      type: summary,
      description: 'Counts of all opportunities that match the filters.',
    }),
    pagination: reportFields.pagination(t),
    opportunities: t.expose('opportunities', {
      type: [opportunityType],
      description: 'Opportunities of this page: highest impact first, then newest.',
    }),
  }),
})

const narrowing = builder.args((t) => ({
  status: t.field({
    type: opportunityStatus,
    description:
      'Only opportunities in this state. Default `active`, unless `includeResolved` is true.',
    extensions: { param: { values: opportunityStatuses } },
  }),
  includeResolved: t.boolean({
    description: 'True lists opportunities in all states. A given `status` counts instead.',
    extensions: { view: 'rest' },
  }),
  source: t.string({
    description: `Only opportunities of this source: ${opportunitySources.map((name) => `\`${name}\``).join(', ')}.`,
    extensions: { param: { values: opportunitySources } },
  }),
  impact: t.field({
    type: opportunityImpact,
    description: 'Only opportunities of this impact.',
    extensions: { param: { values: impacts } },
  }),
}))
const order = builder.args((t) => ({
  sort: t.field({
    type: opportunitySort,
    defaultValue: 'effect',
    description: 'Order of the opportunities.',
    extensions: { view: 'graph' },
  }),
}))
inGraph({ status: narrowing.status }, { filter: 'statuses' })
inGraph({ source: narrowing.source }, { filter: 'sources' })
inGraph({ impact: narrowing.impact }, { filter: 'impacts' })

filterInput('OpportunityFilter', {
  rows: 'Opportunities',
  own: {
    statuses: (t) =>
      t.field({
        type: [opportunityStatus],
        description: 'Only opportunities in these states. Default `active`.',
      }),
    sources: (t) =>
      t.field({
        type: [opportunitySource],
        description: 'Only opportunities whose rule reads facts of these kinds.',
      }),
    impacts: (t) =>
      t.field({ type: [opportunityImpact], description: 'Only opportunities of these impacts.' }),
  },
})

const meaning = 'Suggestions that rules make of the facts, each night and after imports and audits.'

report('opportunities', {
  ...opportunityList,
  description: `${meaning} The largest expected effect first, then the least effort.`,
  restDescription: meaning,
  problems: ['pitch_not_supported'],
  args: { ...narrowing, ...order, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args, _context, view) =>
    opportunities(
      scope,
      args as typeof args & OpportunityArgs,
      view === 'rest' ? 'newest' : (args.sort as OpportunityOrder),
    ),
})
