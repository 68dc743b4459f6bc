import type { ImportResult } from '../../imports/answers/answers.ts'
import { articleStores, importArticles } from '../../imports/content/articles.ts'
import { importDomainAuthority } from '../../imports/content/domain-authority.ts'
import { importPageContents } from '../../imports/content/page-contents.ts'
import { importPages } from '../../imports/content/pages.ts'
import { importBrandProfile } from '../../resolvers/projects/brand-profile.ts'
import { projectArgs } from '../kit/args.ts'
import { adminProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'
import { bytesOf, rejectedLine, requestWaitMs } from './request.ts'

const recordsImportResult = builder.objectRef<ImportResult>('RecordsImportResult').implement({
  description: 'What became of the records of an import.',
  fields: (t) => ({
    read: t.expose('read', { type: 'SafeInt', description: 'Records read.' }),
    loaded: t.expose('loaded', {
      type: 'SafeInt',
      description: 'Records that are new, or say something else than before.',
    }),
    skipped: t.expose('skipped', {
      type: 'SafeInt',
      description: 'Records that were there so already.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Records that were not loaded, and why; those of a list are numbered as items.',
      resolve: (result) => [...result.rejected],
    }),
  }),
})

builder.mutationField('importArticles', (t) =>
  t.field({
    type: recordsImportResult,
    access: adminProject,
    description:
      'Loads content pieces into one of the two stores. One that is there already, by its slug, is replaced. Use `sightline import articles` for a folder of Markdown.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'A JSON array of articles, one JSON object a line, or one text of Markdown with front matter, under the names of the fields of `Article` and `content`; `title` and `slug` are required.',
      }),
      store: t.arg.string({
        defaultValue: 'content-v2',
        description: `The store that they belong to: ${articleStores.map((store) => `\`${store}\``).join(' or ')}.`,
        extensions: { param: { values: articleStores, default: 'content-v2' } },
      }),
    },
    resolve: async (_root, { projectId, content, store }, context) => {
      const { project } = await scopeOf(context, projectId)
      const files = [{ name: null, open: () => bytesOf(content) }]
      return importArticles(context.services.db, {
        projectId: project.id,
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
    description:
      'Loads measurements of how much the domain weighs, one a day. A day that is there already is replaced. Use `sightline import domain-authority` for files of any size.',
    args: {
      ...projectArgs,
      csv: t.arg.string({
        required: true,
        description: 'CSV with a header: `date`, `score`, `backlinks`, `referringDomains`.',
      }),
    },
    resolve: async (_root, { projectId, csv }, context) => {
      const { project } = await scopeOf(context, projectId)
      const options = { projectId: project.id, bytes: bytesOf(csv) }
      return importDomainAuthority(context.services.db, options)
    },
  }),
)

builder.mutationField('importPageContents', (t) =>
  t.field({
    type: recordsImportResult,
    access: adminProject,
    description:
      'Loads texts of pages that answers cite. Of one page the text that was fetched last counts. Use `sightline import page-contents` for files of any size.',
    args: {
      ...projectArgs,
      lines: t.arg.string({
        required: true,
        description: 'JSON Lines. Each object: `url`, `title?`, `content`, `fetchedAt`.',
      }),
    },
    resolve: async (_root, { projectId, lines }, context) => {
      const { project } = await scopeOf(context, projectId)
      const options = { projectId: project.id, bytes: bytesOf(lines), waitMs: requestWaitMs }
      return importPageContents(context.services, options)
    },
  }),
)

builder.mutationField('importPages', (t) =>
  t.field({
    type: recordsImportResult,
    access: adminProject,
    description:
      'Loads pages of the site. Those of CSV are added; a sitemap takes the place of the one before, and makes pages of its URLs. Use `sightline import pages` for a sitemap index.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'CSV with a header: `url`, `type?`, `title?`, `description?`, `tracked?`; or the XML of a sitemap.',
      }),
    },
    resolve: async (_root, { projectId, content }, context) => {
      const { project } = await scopeOf(context, projectId)
      const options = { projectId: project.id, name: 'the sitemap', bytes: bytesOf(content) }
      return importPages(context.services.db, options)
    },
  }),
)

projectMutation('importBrandProfile', {
  description:
    'Makes the profile of the brand what a JSON object says. What it does not name stays; a list that it names is the whole list.',
  args: builder.args((t) => ({
    profile: t.string({
      required: true,
      description:
        'A JSON object: `name`, `aliases` (texts), `domains` (the main one first), `description`, `industry`; also as `brandProfile` of the report on it.',
    }),
  })),
  change: ({ db, actor, projectId }, { profile }) =>
    importBrandProfile(db, actor, projectId, profile),
})
