import type { AnswersResult } from '../../imports/answers/answers.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { bytesOf, rejectedLine, requestWaitMs, takesFile } from './request.ts'

const importResult = builder.objectRef<AnswersResult>('ImportResult').implement({
  description: 'Result of an import of answers.',
  fields: (t) => ({
    read: t.expose('read', { type: 'Int', description: 'Lines read.' }),
    loaded: t.expose('loaded', { type: 'Int', description: 'Answers that are new.' }),
    skipped: t.expose('skipped', {
      type: 'Int',
      description: 'Answers that existed already.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Lines that were not loaded, and why.',
      resolve: (result) => [...result.rejected],
    }),
    leftOut: t.field({
      type: [rejectedLine],
      description:
        'Fields and citations that could not be read, whose answers were loaded without them.',
      resolve: ({ leftOut = [] }) => [...leftOut],
    }),
  }),
})

builder.mutationField('importAnswers', (t) =>
  t.field({
    type: importResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    description:
      'Imports AI answers, one JSON object per line. Invalid lines are reported and existing answers skipped. The answers become visible together.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'JSON Lines, a JSON array, CSV, or an export of Peec, Profound or Promptfoo. Each object: `prompt`, `topic?`, `platform`, `model?`, `run?`, `collectedAt`, `country?`, `location?`, `text`, `citations?[{position,url,title}]`, `searchQueries?[]`, `products?[{rank,brand,name,price}]`, `ads?[{position,advertiser,domain,url,title}]`, `sentiment?`.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      // The readers of files are loaded with the first file, here and in the other imports.
      const { importAnswersFile } = await import('../../imports/answers/answers.ts')
      return importAnswersFile(context.services, {
        projectId: project.id,
        actor: actorOf(context),
        bytes: bytesOf(args.content),
        waitMs: requestWaitMs,
      })
    },
  }),
)
