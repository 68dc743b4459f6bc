import { type MarkKind, type MarkMetric, markKinds } from '../../core/marks/marks.ts'
import { comparisonsOf } from '../../resolvers/marks/comparison.ts'
import { listMarks, type Mark, marksById, requireMark } from '../../resolvers/marks/marks.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { readOfProject, scopeOf } from '../kit/authorize.ts'
import { freshLoader, together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { lookup } from '../kit/lookup.ts'
import { wordsOf } from '../kit/words.ts'
import { opportunityLoader } from '../opportunities/loader.ts'
import { opportunityType } from '../opportunities/opportunity.ts'
import { promptLoaders, promptType } from '../prompts/prompt.ts'
import { topicType } from '../topics/topics.ts'
import { comparisonType, markMetric } from './comparison.ts'

export const markKind = wordsOf<MarkKind>(
  'MarkKind',
  'Kind of work that was done for the brand.',
  markKinds,
)

export const markType = builder.prismaObject('Mark', {
  description: 'Something that was done for the brand on a day, and what it concerns.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the mark.' }),
    kind: t.field({
      type: markKind,
      description: 'Kind of work.',
      resolve: ({ kind }) => kind as MarkKind,
    }),
    title: t.exposeString('title', { description: 'Work that was done, in words.' }),
    date: t.field({
      type: 'Date',
      description: 'UTC day on which it was done.',
      resolve: ({ day }) => day.toISOString().slice(0, 10),
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'Address of the page or source that it is about; null without one.',
    }),
    prompts: t.field({
      type: [promptType],
      description: 'Prompts that it concerns, in addition to those of its topics.',
      resolve: async ({ promptIds }, _args, context) => {
        const found = await Promise.all(
          promptIds.map((id) => promptLoaders(context).prompt.load(id)),
        )
        return found.filter((prompt) => prompt !== null)
      },
    }),
    topics: t.field({
      type: [topicType],
      description: 'Topics whose prompts it concerns.',
      resolve: async ({ projectId, topicIds }, _args, context) => {
        const all = await promptLoaders(context).topics.load(projectId)
        return all.filter(({ id }) => topicIds.includes(id))
      },
    }),
    opportunity: t.field({
      type: opportunityType,
      nullable: true,
      description: 'Opportunity that was done; null where a person made the mark.',
      resolve: ({ opportunityId }, _args, context) =>
        opportunityId === null ? null : opportunityLoader(context).load(opportunityId),
    }),
    comparison: t.field({
      type: comparisonType,
      description: 'Whether it helped: the prompts that it concerns against the others.',
      args: {
        metric: t.arg({
          type: markMetric,
          defaultValue: 'visibility',
          description: 'The share of answers to compare.',
        }),
      },
      resolve: async (mark: Mark, { metric }, context) =>
        together(
          context,
          'marks.comparison',
          { scope: await scopeOf(context, mark.projectId), mark },
          { metric: (metric ?? 'visibility') as MarkMetric },
          comparisonsOf,
          ({ mark: { id } }) => id,
        ),
    }),
  }),
})

/** By id. Without a cache: one request may make a mark and read it. */
export const markLoader = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => marksById(db, ids)),
)

builder.objectField('Project', 'marks', (t) =>
  t.field(
    connectionField({
      type: connectionOf(markType, {
        description: 'A page of marks, newest first.',
        sortKey: ({ day, id }: Mark) => [day.toISOString(), id],
      }),
      size: { default: 20, max: 100 },
      access: readOfProject,
      description:
        'Work that was done for the brand, with its days, newest first. Opportunities that are done are marks, too.',
      args: {},
      resolve: ({ db, project }: ProjectScope, args) => listMarks(db, project.id, args),
    }),
  ),
)

lookup('mark', {
  description: 'One mark.',
  id: ['markId', 'Id of the mark.'],
  type: markType,
  find: ({ db, project }, id) => requireMark(db, project.id, id),
})
