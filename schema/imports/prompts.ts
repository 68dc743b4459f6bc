import { importPromptsCsv, type PromptsCsvResult } from '../../imports/prompts/prompts.ts'
import { importPrompts, type PromptsWritten } from '../../resolvers/prompts/import.ts'
import { projectArgs } from '../kit/args.ts'
import { adminProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { bytesOf, rejectedLine, requestWaitMs } from './request.ts'

const promptImport = builder.objectRef<PromptsCsvResult<PromptsWritten>>('PromptImport').implement({
  description: 'What became of the lines of an import of prompts.',
  fields: (t) => ({
    read: t.expose('read', { type: 'SafeInt', description: 'Lines read, but the header.' }),
    created: t.expose('created', { type: 'SafeInt', description: 'Prompts that are new.' }),
    updated: t.expose('updated', {
      type: 'SafeInt',
      description: 'Prompts that were there and changed: each by one revision.',
    }),
    unchanged: t.expose('unchanged', {
      type: 'SafeInt',
      description: 'Prompts that were so already.',
    }),
    repeated: t.expose('repeated', {
      type: 'SafeInt',
      description: 'Lines about a prompt that an earlier line is about.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Lines that were not imported, and why.',
      resolve: ({ rejected }) => [...rejected],
    }),
    ignoredColumns: t.field({
      type: ['String'],
      description: 'Columns that nothing was read from.',
      resolve: ({ ignoredColumns }) => [...ignoredColumns],
    }),
  }),
})

builder.mutationField('importPrompts', (t) =>
  t.field({
    type: promptImport,
    access: adminProject,
    description:
      'Imports prompts of a CSV file, such as another tool exports. A prompt whose wording is there is changed where the file says otherwise; the others are made, and count toward the allowance of the plan. A bad line is reported and the rest is imported, all at once; sending the same file twice changes nothing. Use `sightline import prompts` for files of any size.',
    args: {
      ...projectArgs,
      csv: t.arg.string({
        required: true,
        description:
          'CSV whose first line names its columns: `text`, and optionally `topic`, `intent`, `branded`, `volume`, `difficulty`, `tracked`. Comma, semicolon or tab between cells.',
      }),
    },
    resolve: async (_root, { projectId, csv }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const { db, databaseUrl } = context.services
      const file = { projectId: project.id, csv: bytesOf(csv), waitMs: requestWaitMs }
      return importPromptsCsv(databaseUrl, file, (batches) =>
        importPrompts(db, actorOf(context), project.id, batches),
      )
    },
  }),
)
