import type { ReanalyzeResult } from '../imports/answers/reanalyze.ts'
import { requestWaitMs } from './imports/request.ts'
import { keyedArgs, projectArgs } from './kit/args.ts'
import { adminProject, scopeOf } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { actorOf } from './kit/context.ts'

const reanalysis = builder.objectRef<ReanalyzeResult>('Reanalysis').implement({
  description: 'Result of a recount of stored answers.',
  fields: (t) => ({
    analysis: t.expose('analysis', {
      type: 'Int',
      description: 'Number of the analysis that reports now show.',
    }),
    answerCount: t.expose('answers', {
      type: 'Int',
      description: 'Answers that were recounted.',
    }),
    mentionCount: t.expose('mentions', {
      type: 'Int',
      description: 'Pairs of an answer and a brand that the answer names.',
    }),
  }),
})

builder.mutationField('reanalyze', (t) =>
  t.field({
    type: reanalysis,
    access: adminProject,
    isOutside: true,
    description:
      'Recounts mentions and sentiment in all stored answers, by the names and domains tracked now. Reports switch to the new numbers at once.',
    args: { ...projectArgs, ...keyedArgs },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const actor = actorOf(context)
      const { reanalyze } = await import('../imports/answers/reanalyze.ts')
      return reanalyze(context.services, { projectId: project.id, actor, waitMs: requestWaitMs })
    },
  }),
)
