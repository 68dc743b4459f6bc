import { invalid } from '../../core/errors.ts'
import type { FileKind } from '../../imports/uploads/kinds.ts'
import type { UploadPreview, UploadResult } from '../../imports/uploads/uploads.ts'
import { connectLogs } from '../../resolvers/connections/logs.ts'
import { requireImport } from '../../resolvers/projects/imports.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject, draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { wordsOf } from '../kit/words.ts'
import { importType } from './list.ts'
import { fileName, fileNameArg, rejectedLine, requestWaitMs, takesFile } from './request.ts'

const fileKind = wordsOf<FileKind>('FileKind', 'What a file can be imported as.', {
  answers: 'Answers of AI assistants.',
  prompts: 'Prompts to track.',
  access_log: 'An access log of a server or CDN.',
  search_console: 'Clicks and impressions of Search Console.',
  web_analytics: 'Sessions of web analytics.',
  pages: 'Pages of the site, or its sitemap.',
  page_contents: 'Texts of cited pages.',
  articles: 'Content pieces.',
  domain_authority: 'Measurements of the authority of the domain.',
})

const uploadArgs = builder.args((t) => ({
  content: t.string({ required: true, description: 'Text of the file.' }),
  isBase64: t.boolean({
    defaultValue: false,
    description: 'Whether `content` is Base64, for files that are no text, such as ZIP archives.',
  }),
}))

/** @throws {Fault} `invalid_argument` */
function bytesIn({
  content,
  isBase64,
}: {
  content: string
  isBase64?: boolean | null | undefined
}) {
  if (!isBase64) return Buffer.from(content)
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length === 0 && content !== '') throw invalid('content', 'must be Base64')
  return bytes
}

const uploadLine = builder.objectRef<UploadPreview['lines'][number]>('UploadLine').implement({
  description: 'A row of a file as an import would read it.',
  fields: (t) => ({
    line: t.expose('line', { type: 'Int', description: 'Line of the file, from 1.' }),
    cells: t.stringList({
      description: 'Texts of the row, in the order of `columns`.',
      resolve: ({ cells }) => [...cells],
    }),
  }),
})

const uploadPreview = builder.objectRef<UploadPreview>('UploadPreview').implement({
  description: 'What a file is, and its first rows as an import would read them.',
  fields: (t) => ({
    kind: t.field({
      type: fileKind,
      nullable: true,
      description: 'What the file is; null where it has to be chosen among `candidates`.',
      resolve: ({ kind }) => kind,
    }),
    candidates: t.field({
      type: [fileKind],
      description: 'What the file may be by its form.',
      resolve: ({ candidates }) => [...candidates],
    }),
    columns: t.stringList({
      description: 'Names of the columns that are shown.',
      resolve: ({ columns }) => [...columns],
    }),
    lines: t.field({
      type: [uploadLine],
      description: 'The first 20 rows.',
      resolve: ({ lines }) => [...lines],
    }),
    read: t.expose('read', { type: 'Int', description: 'Rows that were read for the preview.' }),
    accepted: t.expose('accepted', {
      type: 'Int',
      description: 'Rows among them that would be imported.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Rows among them that would not be imported, and why.',
      resolve: ({ rejected }) => [...rejected],
    }),
    isCut: t.exposeBoolean('isCut', {
      description: 'Whether the file has more rows than were read for the preview.',
    }),
    readProblem: t.exposeString('problem', {
      nullable: true,
      description: 'Why the file cannot be read as `kind`; null where it can.',
    }),
  }),
})

builder.mutationField('previewUpload', (t) =>
  t.field({
    type: uploadPreview,
    access: draftPrompts,
    extensions: takesFile,
    view: 'graph',
    description: 'Says what a file is, and reads its first rows. Changes nothing.',
    args: {
      ...projectArgs,
      ...uploadArgs,
      kind: t.arg({
        type: fileKind,
        description: 'What the file is. Default: its first bytes decide.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, kind, ...file }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const { previewUpload } = await import('../../imports/uploads/uploads.ts')
      const upload = { projectId: project.id, bytes: bytesIn(file) }
      return previewUpload(context.services, actorOf(context), upload, kind)
    },
  }),
)

const uploadResult = builder
  .objectRef<UploadResult & { readonly projectId: string }>('UploadResult')
  .implement({
    description: 'Result of an import of a file.',
    fields: (t) => ({
      import: t.field({
        type: importType,
        nullable: true,
        description: 'The import in the list of imports; null where nothing was to be imported.',
        resolve: ({ projectId, importId }, _args, context) =>
          importId === null ? null : requireImport(context.services.db, projectId, importId),
      }),
      read: t.expose('read', { type: 'Int', description: 'Rows read.' }),
      loaded: t.expose('loaded', { type: 'Int', description: 'Rows that are new or changed.' }),
      skipped: t.expose('skipped', {
        type: 'Int',
        description: 'Rows that were there already.',
      }),
      rejected: t.field({
        type: [rejectedLine],
        description: 'Rows that were not imported, and why.',
        resolve: ({ rejected }) => [...rejected],
      }),
      leftOut: t.field({
        type: [rejectedLine],
        description:
          'Fields and citations that could not be read, whose rows were imported without them.',
        resolve: ({ leftOut }) => [...leftOut],
      }),
    }),
  })

builder.mutationField('importUpload', (t) =>
  t.field({
    type: uploadResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    view: 'graph',
    description:
      'Imports a file of any kind but prompts, as the import of its kind does. A file that cannot be read changes nothing.',
    args: {
      ...projectArgs,
      kind: t.arg({ type: fileKind, required: true, description: 'What the file is.' }),
      ...uploadArgs,
      ...fileNameArg,
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, kind, file, ...given }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      if (kind === 'prompts') throw invalid('kind', 'must not be prompts: use `importPrompts`')
      const actor = actorOf(context)
      const { importUpload } = await import('../../imports/uploads/uploads.ts')
      const upload = {
        projectId: project.id,
        bytes: bytesIn(given),
        file: fileName(file),
        waitMs: requestWaitMs,
        linkLogs: (source: 'log' | 'cdn') =>
          connectLogs(context.services.db, actor, project.id, { kind: source }),
      }
      const result = await importUpload(context.services, actor, kind, upload)
      return { ...result, projectId: project.id }
    },
  }),
)
