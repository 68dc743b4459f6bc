import { type Command, Option } from 'commander'
import type { ImportResult } from '../../imports/answers/answers.ts'
import type { ArticleStore } from '../../imports/content/articles.ts'
import type { RecordProgress } from '../../imports/content/records.ts'
import { type Context, type Outcome, perform } from '../run.ts'
import { type Stores, withStores } from '../stores.ts'
import { example, projectChange } from './change.ts'
import { count, importOutcome, type Shown, type Watched } from './import-progress.ts'
import { rejections } from './import-rejections.ts'

const bar = {
  format: '{read} read, {loaded} loaded, {skipped} there already, {rate}/s',
  zero: { read: 0, loaded: 0, skipped: 0, rejected: 0 },
}

type Load = (stores: Stores, watched: Watched<RecordProgress>) => Promise<ImportResult>

async function importRecords(context: Context, file: Shown, load: Load): Promise<Outcome> {
  return importOutcome(context, file, { bar, describe }, (watched) =>
    withStores(context, (stores) => load(stores, watched)),
  )
}

/** What became of the records, for people. */
function describe(
  { read, loaded, skipped, rejected, rejectedTotal = rejected.length }: ImportResult,
  wasStopped: boolean,
): string {
  const head = `${count(loaded)} loaded, ${count(skipped)} there already, ${count(rejectedTotal)} rejected, of ${count(read)}`
  return [
    wasStopped ? `Stopped: ${head}. Import it again to go on.` : `${head}.`,
    ...rejections(rejected, rejectedTotal),
  ].join('\n')
}

export function addImportArticles(parent: Command): void {
  const store = new Option('--store <store>', 'the store that they belong to')
  parent
    .command('articles')
    .argument('<path>', 'a folder, or a file, of Markdown or JSON; - reads standard input')
    .requiredOption('--project <id>', 'the project whose content it is')
    .addOption(store.choices(['content-v2', 'legacy']).default('content-v2'))
    .description(
      'Imports content pieces: Markdown with front matter, or JSON, as an array or one object a line. A piece is told ' +
        'by its slug: one that is there already is replaced where it says something else. What cannot be read is ' +
        'told, and the rest is loaded: the exit code is 0.',
    )
    .addHelpText('after', example('import articles content/blog --project 8c1e…'))
    .action(
      perform<{ project: string; store: ArticleStore }, [string]>(
        async (context, { project, store }, path) => {
          const [{ openArticles }, { importArticles }] = await Promise.all([
            import('../input/article-files.ts'),
            import('../../imports/content/articles.ts'),
          ])
          const input = await openArticles(path)
          const { files } = input
          return importRecords(context, input, ({ db }, watched) =>
            importArticles(db, { projectId: project.toLowerCase(), store, files, ...watched }),
          )
        },
      ),
    )
}

/** A command that imports one file of records, read as bytes. */
function addRecordFile(
  parent: Command,
  name: string,
  about: { file: string; project: string; description: string; example: string },
  load: (
    stores: Stores,
    options: Watched<RecordProgress> & { projectId: string; bytes: AsyncIterable<Uint8Array> },
    path: string,
  ) => Promise<ImportResult>,
): void {
  parent
    .command(name)
    .argument('<file>', `${about.file}, also gzipped; - reads standard input`)
    .requiredOption('--project <id>', about.project)
    .description(about.description)
    .addHelpText('after', example(`import ${name} ${about.example} --project 8c1e…`))
    .action(
      perform<{ project: string }, [string]>(async (context, { project }, path) => {
        const { openInputFile } = await import('../input/input-file.ts')
        const file = await openInputFile(path)
        const projectId = project.toLowerCase()
        return importRecords(context, file, (stores, watched) =>
          load(stores, { projectId, bytes: file.open(), ...watched }, path),
        )
      }),
    )
}

export function addImportDomainAuthority(parent: Command): void {
  const about = {
    file: 'CSV',
    project: 'the project whose domain was measured',
    description:
      'Imports how much the domain weighs, one measurement a day: date, score (0 to 100), backlinks, referring ' +
      'domains, also under the names that Moz, Ahrefs and Semrush give them. A day that is there already is ' +
      'replaced. A wrong line is told, and the rest is loaded: the exit code is 0.',
    example: 'authority.csv',
  }
  addRecordFile(parent, 'domain-authority', about, async ({ db }, options) => {
    const { importDomainAuthority } = await import('../../imports/content/domain-authority.ts')
    return importDomainAuthority(db, options)
  })
}

export function addImportPageContents(parent: Command): void {
  const about = {
    file: 'JSON lines',
    project: 'the project whose answers cite the pages',
    description:
      'Imports texts of cited pages, one JSON object a line: url, title, content, fetchedAt. Of one page the text ' +
      'that was fetched last counts. A wrong line is told, and the rest is loaded: the exit code is 0.',
    example: 'contents.jsonl',
  }
  addRecordFile(parent, 'page-contents', about, async (stores, options) => {
    const { importPageContents } = await import('../../imports/content/page-contents.ts')
    return importPageContents(stores, options)
  })
}

export function addImportPages(parent: Command): void {
  const about = {
    file: 'CSV, a sitemap or a sitemap index',
    project: 'the project whose site it is',
    description:
      'Imports pages of the site: a CSV file with the columns url, type, title, description, tracked, of which url is ' +
      'required; or a sitemap, which takes the place of the one before, and makes pages of its URLs. The sitemaps that ' +
      'an index names are read out of its folder. A page that is there already takes what the file says of it. A ' +
      'wrong line is told, and the rest is loaded: the exit code is 0. A sitemap that is cut off changes nothing.',
    example: 'sitemap.xml',
  }
  addRecordFile(parent, 'pages', about, async ({ db }, options, path) => {
    const [{ importPages }, { sitemapsBeside }] = await Promise.all([
      import('../../imports/content/pages.ts'),
      import('../input/sitemap-files.ts'),
    ])
    const name = path === '-' ? 'the sitemap' : path
    return importPages(db, { ...options, name, openBeside: sitemapsBeside(path) })
  })
}

export function addImportBrandProfile(parent: Command): void {
  parent
    .command('brand-profile')
    .argument('<file>', 'JSON; - reads standard input')
    .requiredOption('--project <id>', 'the project of the brand')
    .description(
      'Makes the profile of the brand what a JSON object says: name, aliases, domains (the main one first), ' +
        'description, industry; also as the report on it gives it. What it does not name stays; a list that it names ' +
        'is the whole list. The changes are on record.',
    )
    .addHelpText('after', example('import brand-profile brand.json --project 8c1e…'))
    .action(
      perform<{ project: string }, [string]>(async (context, { project }, path) => {
        const [{ readProfileFile }, { importBrandProfile }] = await Promise.all([
          import('../input/profile-file.ts'),
          import('../../resolvers/projects/brand-profile.ts'),
        ])
        const text = await readProfileFile(path)
        return projectChange(context, project, 'Changed', ({ db, actor, projectId }) =>
          importBrandProfile(db, actor, projectId, text),
        )
      }),
    )
}
