import { articleStores, importArticles } from '../../imports/content/articles.ts'
import type { ImportResult } from '../../imports/loads/runner.ts'
import { importBrandProfile } from '../../resolvers/projects/brand-profile.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { projectMutation } from '../kit/project-mutation.ts'
import { bytesOf, rejectedLine, requestWaitMs, takesFile } from './request.ts'

const recordsImportResult = builder.objectRef<ImportResult>('RecordsImportResult').implement({
  description: 'Result of an import of records.',
  fields: (t) => ({
    read: t.expose('read', { type: 'Int', description: 'Records read.' }),
    loaded: t.expose('loaded', {
      type: 'Int',
      description: 'Records that are new or changed.',
    }),
    skipped: t.expose('skipped', {
      type: 'Int',
      description: 'Records that existed unchanged.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description:
        'Records that were not loaded, and why. For a list, `line` is the number of the item.',
      resolve: (result) => [...result.rejected],
    }),
  }),
})

builder.mutationField('importArticles', (t) =>
  t.field({
    type: recordsImportResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    description:
      'Imports content pieces into a store. A piece replaces the earlier piece of its slug.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'Articles as a JSON array, one object per line, or one Markdown text with front matter. `title` and `slug` are required.',
      }),
      store: t.arg.string({
        defaultValue: 'content-v2',
        description: `The store that the content pieces belong to: ${articleStores.map((store) => `\`${store}\``).join(' or ')}.`,
        extensions: { param: { values: articleStores, default: 'content-v2' } },
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, content, store }, context) => {
      const { project } = await scopeOf(context, projectId)
      const files = [{ name: null, open: () => bytesOf(content) }]
      return importArticles(context.services.db, {
        projectId: project.id,
        actor: actorOf(context),
        files,
        store: articleStores.find((name) => name === store) ?? 'content-v2',
      })
    },
  }),
)

builder.mutationField('importDomainAuthority', (t) =>
  t.field({
    type: recordsImportResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    description:
      'Imports domain authority, one measurement per day. It replaces an earlier one of the day.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description: 'CSV with a header: `date`, `score`, `backlinks`, `referringDomains`.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, content }, context) => {
      const { project } = await scopeOf(context, projectId)
      const options = { projectId: project.id, actor: actorOf(context), bytes: bytesOf(content) }
      const { importDomainAuthority } = await import('../../imports/content/domain-authority.ts')
      return importDomainAuthority(context.services.db, options)
    },
  }),
)

builder.mutationField('importPageContents', (t) =>
  t.field({
    type: recordsImportResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    description: 'Imports texts of cited pages. The text fetched last counts.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description: 'JSON Lines. Each object: `url`, `title?`, `content`, `fetchedAt`.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, content }, context) => {
      const { project } = await scopeOf(context, projectId)
      const actor = actorOf(context)
      const options = {
        projectId: project.id,
        actor,
        bytes: bytesOf(content),
        waitMs: requestWaitMs,
      }
      const { importPageContents } = await import('../../imports/content/page-contents.ts')
      return importPageContents(context.services, options)
    },
  }),
)

builder.mutationField('importPages', (t) =>
  t.field({
    type: recordsImportResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    description:
      'Imports pages of the site from CSV, or a sitemap, which replaces the earlier one.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'CSV with a header: `url`, `type?`, `title?`, `description?`, `tracked?`; or the XML of a sitemap.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, content }, context) => {
      const { project } = await scopeOf(context, projectId)
      const bytes = bytesOf(content)
      const options = { projectId: project.id, actor: actorOf(context), name: 'the sitemap', bytes }
      const { importPages } = await import('../../imports/content/pages.ts')
      return importPages(context.services, options)
    },
  }),
)

projectMutation('importBrandProfile', {
  description: 'Imports the brand profile. Absent keys change nothing; a list replaces the list.',
  args: builder.args((t) => ({
    content: t.string({
      required: true,
      description:
        'A JSON object: `name`, `aliases`, `domains` (main domain first), `description`, `industry`.',
    }),
  })),
  change: ({ db, actor, projectId }, { content }) =>
    importBrandProfile(db, actor, projectId, content),
})
