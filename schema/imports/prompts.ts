import { type Column, promptColumns } from '../../imports/prompts/cells.ts'
import type { PromptsCsvPreview, PromptsCsvResult } from '../../imports/prompts/prompts.ts'
import type { PreviewedLine } from '../../resolvers/prompts/import.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { intentCategory } from '../kit/intent.ts'
import { promptLoaders, promptType } from '../prompts/prompt.ts'
import {
  bytesOf,
  fileName,
  fileNameArg,
  rejectedLine,
  requestWaitMs,
  takesFile,
} from './request.ts'

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
    ignoredColumns: t.field({
      type: ['String'],
      description: 'Columns of the file that the import does not read.',
      resolve: ({ ignoredColumns }) => [...ignoredColumns],
    }),
  }),
})

const meanings: Readonly<Record<Column, string>> = {
  text: 'Text of the prompt.',
  topic: 'The main topic.',
  tags: 'Further topics, separated by commas, semicolons or bars.',
  country: 'Country or city where the prompt is asked.',
  intent: 'Intent of the person who asks.',
  branded: 'Whether the prompt names the own brand: yes or no.',
  volume: 'Searches per month.',
  difficulty: 'Difficulty to rank for the keyword, from 0 to 100.',
  tracked: 'Whether the prompt is tracked: yes or no.',
}

const promptColumn = builder.enumType('PromptColumn', {
  description: 'What a column of a file of prompts is read as.',
  values: Object.fromEntries(promptColumns.map((name) => [name, { description: meanings[name] }])),
})

const columnChoice = builder.inputType('PromptColumnChoice', {
  description: 'A column of a file, and what it is read as.',
  fields: (t) => ({
    column: t.field({
      type: promptColumn,
      required: true,
      description: 'What the column is read as.',
    }),
    position: t.int({ required: true, description: 'Position of the column in the file, from 0.' }),
  }),
})

const columnsArg = builder.args((t) => ({
  columns: t.field({
    type: [columnChoice],
    description: 'What to read from which column. Default: by the names of the columns.',
  }),
}))

const chosen = (columns: readonly { column: string; position: number }[] | null | undefined) =>
  columns ? new Map(columns.map(({ column, position }) => [column as Column, position])) : undefined

const previewState = builder.enumType('PromptPreviewState', {
  description: 'What an import of prompts would do with a line.',
  values: {
    created: { description: 'The line adds a prompt.' },
    updated: { description: 'The line changes the prompt that asks the question.' },
    unchanged: { description: 'The prompt that asks the question does not change.' },
    repeated: { description: 'Another line of the file asks the same question.' },
  },
})

function stateOf({ change, isRepeated }: PreviewedLine) {
  if (isRepeated) return 'repeated'
  if (change === null) return 'unchanged'
  return change === 'created' ? 'created' : 'updated'
}

const previewLine = builder.objectRef<PreviewedLine>('PromptPreviewLine').implement({
  description: 'A line of a file of prompts as an import would read it.',
  fields: (t) => ({
    line: t.expose('line', { type: 'Int', description: 'Line of the file, from 1.' }),
    text: t.exposeString('text', { description: 'Text of the prompt.' }),
    topics: t.stringList({
      description: 'Names of topics that the prompt gets, the main topic first.',
      resolve: ({ topics }) => [...topics],
    }),
    location: t.exposeString('location', {
      nullable: true,
      description: 'Place where the prompt is asked; null without one.',
    }),
    intentCategory: t.field({
      type: intentCategory,
      nullable: true,
      description: 'Intent of the person who asks; null without one.',
      resolve: ({ intent }) => intent ?? null,
    }),
    keywordSearchVolume: t.expose('volume', {
      type: 'Int',
      nullable: true,
      description: 'Searches per month; null without a number.',
    }),
    state: t.field({
      type: previewState,
      description: 'What the import would do with the line.',
      resolve: stateOf,
    }),
    prompt: t.field({
      type: promptType,
      nullable: true,
      description: 'The prompt that asks the question already; null without one.',
      resolve: ({ promptId }, _args, context) =>
        promptId === null ? null : promptLoaders(context).prompt.load(promptId),
    }),
  }),
})

const previewColumn = builder
  .objectRef<PromptsCsvPreview['columns'][number]>('PromptPreviewColumn')
  .implement({
    description: 'A column of a file of prompts.',
    fields: (t) => ({
      header: t.exposeString('header', { description: 'Name in the first line of the file.' }),
      column: t.field({
        type: promptColumn,
        nullable: true,
        description: 'What the column is read as; null for a column that is not read.',
        resolve: ({ column }) => column,
      }),
    }),
  })

const mostPreviewed = 200

const promptPreview = builder.objectRef<PromptsCsvPreview>('PromptPreview').implement({
  description: 'What an import of prompts would do.',
  fields: (t) => ({
    columns: t.field({
      type: [previewColumn],
      description: 'Columns of the file, in their order.',
      resolve: ({ columns }) => [...columns],
    }),
    read: t.expose('read', { type: 'Int', description: 'Lines read, without the header.' }),
    created: t.expose('created', { type: 'Int', description: 'Prompts that would be new.' }),
    updated: t.expose('updated', {
      type: 'Int',
      description: 'Existing prompts that would change.',
    }),
    unchanged: t.expose('unchanged', {
      type: 'Int',
      description: 'Existing prompts that would not change.',
    }),
    repeated: t.expose('repeated', {
      type: 'Int',
      description: 'Lines that repeat the question of an earlier line.',
    }),
    lines: t.field({
      type: [previewLine],
      description: `The first ${mostPreviewed} lines that can be imported.`,
      resolve: ({ lines }) => [...lines],
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Lines that cannot be imported, and why.',
      resolve: ({ rejected }) => [...rejected],
    }),
  }),
})

builder.mutationField('previewPrompts', (t) =>
  t.field({
    type: promptPreview,
    access: draftPrompts,
    extensions: takesFile,
    problems: ['quota_exceeded'],
    view: 'graph',
    description: 'Says what `importPrompts` would do with a file of prompts, and changes nothing.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description: 'CSV whose first line names the columns, as of `importPrompts`.',
      }),
      ...columnsArg,
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, content, columns }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const { previewPromptsCsv } = await import('../../imports/prompts/prompts.ts')
      const file = { projectId: project.id, csv: bytesOf(content), columns: chosen(columns) }
      return previewPromptsCsv(context.services.db, file, mostPreviewed)
    },
  }),
)

builder.mutationField('importPrompts', (t) =>
  t.field({
    type: promptImport,
    access: draftPrompts,
    extensions: takesFile,
    isOutside: true,
    problems: ['quota_exceeded'],
    description:
      'Imports prompts from CSV. A line changes the prompt that asks the same question, or adds one. New prompts count toward the allowance. Invalid lines are reported; the others are imported together.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'CSV whose first line names the columns: `text`, optionally `topic`, `intent`, `branded`, `volume`, `difficulty`, `tracked`. Comma, semicolon or tab separates cells.',
      }),
      ...columnsArg,
      ...fileNameArg,
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, content, columns, file: name }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const { services } = context
      const file = {
        projectId: project.id,
        file: fileName(name),
        csv: bytesOf(content),
        columns: chosen(columns),
        waitMs: requestWaitMs,
      }
      const { importPromptsCsv } = await import('../../imports/prompts/prompts.ts')
      return importPromptsCsv(services, actorOf(context), file)
    },
  }),
)
