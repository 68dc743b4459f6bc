import { utcDayOf } from '../../core/window.ts'
import { type ImportKind, importKinds } from '../../imports/loads/record.ts'
import { undoImport } from '../../imports/loads/undo.ts'
import type { Import } from '../../prisma/generated/client.ts'
import { type ImportList, listImports, requireImport } from '../../resolvers/projects/imports.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { apiKey, keysOf } from '../keys/keys.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminOfWorkspace, adminProject, readOfProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { requestWaitMs } from './request.ts'

const meanings: Readonly<Record<ImportKind, string>> = {
  answers: 'Answers of AI assistants, with their citations, products and ads.',
  prompts: 'Prompts to track.',
  access_log: 'Hits of crawlers from an access log.',
  web_analytics: 'Sessions of web analytics.',
  search_console: 'Clicks and impressions of Search Console.',
  page_contents: 'Texts of cited pages.',
  pages: 'Pages of the site, or its sitemap.',
  articles: 'Content pieces.',
  domain_authority: 'Domain authority.',
}

const importKind = builder.enumType('ImportKind', {
  description: 'The kind of data of an import.',
  values: Object.fromEntries(importKinds.map((kind) => [kind, { description: meanings[kind] }])),
})

const importStatus = builder.enumType('ImportStatus', {
  description: 'The state of an import.',
  values: {
    unfinished: { description: 'The import runs, or ended early.' },
    finished: { description: 'The import has ended, and its rows count.' },
    undone: { description: 'The import was undone.' },
  },
})

function statusOf({ finishedAt, undoneAt }: Import) {
  if (undoneAt !== null) return 'undone'
  return finishedAt === null ? 'unfinished' : 'finished'
}

const dayOf = (date: Date | null) => date && utcDayOf(date)

export const importType = builder.prismaObject('Import', {
  description: 'An import that changed something: who imported what, when, from which file.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the import.' }),
    kind: t.field({
      type: importKind,
      description: 'Kind of the imported data.',
      resolve: ({ kind }) => kind as ImportKind,
    }),
    status: t.field({
      type: importStatus,
      description: 'State of the import.',
      resolve: statusOf,
    }),
    file: t.exposeString('file', {
      nullable: true,
      description: 'Name of the file; null for standard input, and for the text of a request.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'Time when the import began.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the import ended; null for an import that has not, or ended early.',
    }),
    failure: t.exposeString('failure', {
      nullable: true,
      description: 'Why the import ended early and changed nothing; else null.',
    }),
    undoneAt: t.expose('undoneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the import was undone; null for an import that was not.',
    }),
    read: t.field({
      type: 'SafeInt',
      description: 'Lines, rows or records that were read.',
      resolve: ({ read }) => Number(read),
    }),
    loaded: t.field({
      type: 'SafeInt',
      description: 'Rows or records that were new or changed.',
      resolve: ({ loaded }) => Number(loaded),
    }),
    rejected: t.field({
      type: 'SafeInt',
      description: 'Lines, rows or records that could not be read.',
      resolve: ({ rejected }) => Number(rejected),
    }),
    from: t.field({
      type: 'Date',
      nullable: true,
      description: 'First UTC day of the loaded rows; null for records without days.',
      resolve: ({ firstDay }) => dayOf(firstDay),
    }),
    to: t.field({
      type: 'Date',
      nullable: true,
      description: 'Last UTC day of the loaded rows; null for records without days.',
      resolve: ({ lastDay }) => dayOf(lastDay),
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'Id of the user who imported; null for the command line.',
    }),
    keyId: t.exposeID('keyId', {
      nullable: true,
      description: 'Id of the key that imported; null for the command line.',
    }),
    key: t.field({
      type: apiKey,
      nullable: true,
      description:
        'The key that imported; null for the command line, of another workspace, or for a key without `admin`.',
      resolve: async ({ projectId, keyId }, _args, context) => {
        if (keyId === null) return null
        const { project } = await scopeOf(context, projectId)
        await context.authorize(context, adminOfWorkspace, project.workspaceId)
        const keys = await keysOf(context).load(project.workspaceId)
        return keys.find(({ id }) => id === keyId) ?? null
      },
    }),
  }),
})

const imports = connectionOf(importType, {
  description: 'A page of imports, newest first.',
  rows: ({ rows }: ImportList) => rows,
  sortKey: ({ startedAt, id }) => [startedAt.toISOString(), id],
})

builder.objectField('Project', 'imports', (t) =>
  t.field(
    connectionField({
      type: imports,
      description: 'Imports that changed something, newest first.',
      size: { default: 50, max: 500 },
      access: readOfProject,
      resolve: ({ db, project }: ProjectScope, args) => listImports(db, project.id, args),
    }),
  ),
)

builder.objectField('Project', 'import', (t) =>
  t.field({
    type: importType,
    access: readOfProject,
    description: 'One import.',
    args: { id: t.arg.id({ required: true, description: 'Id of the import.' }) },
    resolve: ({ db, project }: ProjectScope, { id }) => requireImport(db, project.id, String(id)),
  }),
)

builder.mutationField('undoImport', (t) =>
  t.field({
    type: importType,
    access: adminProject,
    isOutside: true,
    description:
      'Undoes an import: its rows go at once. Records that it replaced come back; rows by day do not.',
    args: {
      ...projectArgs,
      importId: t.arg.id({ required: true, description: 'Id of the import.' }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, importId }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const options = { projectId: project.id, importId: String(importId), waitMs: requestWaitMs }
      return (await undoImport(context.services, actorOf(context), options)).import
    },
  }),
)
