import type { PromptsCsvResult } from '../../imports/prompts/prompts.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { bytesOf, rejectedLine, requestWaitMs, takesFile } from './request.ts'

const promptImport = builder.objectRef<PromptsCsvResult>('PromptImport').implement({
  description: 'Result of an import of prompts.',
  fields: (t) => ({
    read: t.expose('read', {
      type: 'Int',
      description: 'Lines read, without the header.',
    }),
    created: t.expose('created', {
      type: 'Int',
      description: 'Prompts that are new.',
    }),
    updated: t.expose('updated', {
      type: 'Int',
      description: 'Existing prompts that changed, each by one revision.',
    }),
    unchanged: t.expose('unchanged', {
      type: 'Int',
      description: 'Existing prompts that did not change.',
    }),
    repeated: t.expose('repeated', {
      type: 'Int',
      description: 'Lines that repeat the prompt of an earlier line.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Lines that were not imported, and why.',
      resolve: ({ rejected }) => [...rejected],
    }),
    leftOut: t.field({
      type: [rejectedLine],
      description: 'Cells that could not be read, whose lines were imported without them.',
      resolve: ({ leftOut = [] }) => [...leftOut],
    }),
    ignoredColumns: t.field({
      type: ['String'],
      description: 'Columns of the file that the import does not read.',
      resolve: ({ ignoredColumns }) => [...ignoredColumns],
    }),
  }),
})

builder.mutationField('importPrompts', (t) =>
  t.field({
    type: promptImport,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    problems: ['quota_exceeded'],
    description:
      'Imports prompts from CSV. A line changes the prompt of the same wording, or adds one. New prompts count toward the allowance. Invalid lines are reported; the others are imported together.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'CSV whose first line names the columns: `text`, optionally `topic`, `intent`, `branded`, `volume`, `difficulty`, `tracked`. Comma, semicolon or tab separates cells.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, content }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const { services } = context
      const file = { projectId: project.id, csv: bytesOf(content), waitMs: requestWaitMs }
      const { importPromptsCsv } = await import('../../imports/prompts/prompts.ts')
      return importPromptsCsv(services, actorOf(context), file)
    },
  }),
)
