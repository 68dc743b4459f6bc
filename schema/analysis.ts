import { type ReanalyzeResult, reanalyze } from '../imports/answers/reanalyze.ts'
import { requestWaitMs } from './imports/request.ts'
import { projectArgs } from './kit/args.ts'
import { adminProject, scopeOf } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'

const reanalysis = builder.objectRef<ReanalyzeResult>('Reanalysis').implement({
  description: 'What was counted anew.',
  fields: (t) => ({
    analysis: t.expose('analysis', {
      type: 'SafeInt',
      description: 'Number of the analysis that reports show now.',
    }),
    answers: t.expose('answers', { type: 'SafeInt', description: 'Answers that were read.' }),
    mentions: t.expose('mentions', {
      type: 'SafeInt',
      description: 'Pairs of an answer and a brand that it names.',
    }),
  }),
})

builder.mutationField('reanalyze', (t) =>
  t.field({
    type: reanalysis,
    access: adminProject,
    description:
      'Counts the mentions and their sentiment in all answers anew, by the brand, its aliases and its competitors as they are now. Reports show the old counts until the end, and then the new ones, all at once. Prompts stay as branded as they are. Use `sightline reanalyze` for projects of any size.',
    args: projectArgs,
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      return reanalyze(context.services, { projectId: project.id, waitMs: requestWaitMs })
    },
  }),
)
