import { type Command, Option } from 'commander'
import type { ArticleStore } from '../../../imports/content/articles.ts'
import type { ImportResult, Progress, RecordCounts } from '../../../imports/loads/runner.ts'
import { changeProject } from '../../change.ts'
import { example } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { type Stores, withStores } from '../../stores.ts'
import {
  describeRecords,
  fileName,
  type ImportRun,
  type MeasuredInput,
  runImport,
} from './output.ts'

const display = {
  progress: '{read} read, {loaded} loaded, {skipped} there already, {rate}/s',
  zero: { read: 0, loaded: 0, skipped: 0, rejected: 0 },
  describe: describeRecords('records'),
}

const rejected =
  'A record that cannot be read is rejected with a reason, and the exit code stays 0.'

type Load = (stores: Stores, run: ImportRun<Progress<RecordCounts>>) => Promise<ImportResult>

function importRecords(context: Context, input: MeasuredInput, load: Load): Promise<CommandResult> {
  return runImport(context, input, display, (run) =>
    withStores(context, (stores) => load(stores, run)),
  )
}

export function addImportArticles(parent: Command): void {
  const store = new Option('--store <store>', 'choose the store of the articles')
  parent
    .command('articles')
    .argument('<path>', 'a folder, or a file, of Markdown or JSON; - reads standard input')
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .addOption(store.choices(['content-v2', 'legacy']).default('content-v2'))
    .description('import articles from Markdown or JSON')
    .addHelpText(
      'after',
      example(
        'import articles content/blog --project 8c1e…',
        'Markdown needs front matter. JSON is an array, or one object a line.\n' +
          'The slug identifies an article: a stored article is replaced when its content differs.',
        rejected,
      ),
    )
    .action(
      perform<{ project: string; store: ArticleStore }, [string]>(
        async (context, { project, store }, path) => {
          const [{ openArticles }, { importArticles }] = await Promise.all([
            import('../../input/article-files.ts'),
            import('../../../imports/content/articles.ts'),
          ])
          const input = await openArticles(path)
          const { files } = input
          const source = { projectId: project.toLowerCase(), file: fileName(path) }
          return importRecords(context, input, ({ db }, run) =>
            importArticles(db, { ...source, store, files, ...run }),
          )
        },
      ),
    )
}

/** A command that imports one file of records, read as bytes. */
function addRecordFile(
  parent: Command,
  name: string,
  about: { file: string; description: string; example: string; notes: string },
  load: (
    stores: Stores,
    options: ImportRun<Progress<RecordCounts>> & {
      projectId: string
      file: string | null
      bytes: AsyncIterable<Uint8Array>
    },
    path: string,
  ) => Promise<ImportResult>,
): void {
  parent
    .command(name)
    .argument('<file>', `${about.file}, also gzipped; - reads standard input`)
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .description(about.description)
    .addHelpText(
      'after',
      example(`import ${name} ${about.example} --project 8c1e…`, about.notes, rejected),
    )
    .action(
      perform<{ project: string }, [string]>(async (context, { project }, path) => {
        const { openInputFile } = await import('../../input/input-file.ts')
        const file = await openInputFile(path)
        const projectId = project.toLowerCase()
        return importRecords(context, file, (stores, run) =>
          load(stores, { projectId, file: fileName(path), bytes: file.open(), ...run }, path),
        )
      }),
    )
}

export function addImportDomainAuthority(parent: Command): void {
  const about = {
    file: 'CSV',
    description: 'import the authority of the domain, one measurement a day',
    example: 'authority.csv',
    notes:
      'Columns: date, score (0 to 100), backlinks, referring domains, or their names at Moz, Ahrefs and Semrush.\n' +
      'A day that is stored already is replaced.',
  }
  addRecordFile(parent, 'domain-authority', about, async ({ db }, options) => {
    const { importDomainAuthority } = await import('../../../imports/content/domain-authority.ts')
    return importDomainAuthority(db, options)
  })
}

export function addImportPageContents(parent: Command): void {
  const about = {
    file: 'JSON lines',
    description: 'import texts of cited pages, one JSON object a line',
    example: 'contents.jsonl',
    notes:
      'Fields: url, title, content, fetchedAt. The text that was fetched last replaces earlier ones.',
  }
  addRecordFile(parent, 'page-contents', about, async (stores, options) => {
    const { importPageContents } = await import('../../../imports/content/page-contents.ts')
    return importPageContents(stores, options)
  })
}

export function addImportPages(parent: Command): void {
  const about = {
    file: 'CSV, a sitemap or a sitemap index',
    description: 'import pages of the site from a CSV file or a sitemap',
    example: 'sitemap.xml',
    notes:
      'CSV columns: url; optional: type, title, description, tracked.\n' +
      'A stored page takes the values of the file. A sitemap replaces the sitemap before it.\n' +
      'The sitemaps of an index are read from the folder of the index. An incomplete sitemap changes nothing.',
  }
  addRecordFile(parent, 'pages', about, async (stores, options, path) => {
    const [{ importPages }, { sitemapsBeside }] = await Promise.all([
      import('../../../imports/content/pages.ts'),
      import('../../input/sitemap-files.ts'),
    ])
    const name = path === '-' ? 'the sitemap' : path
    return importPages(stores, { ...options, name, openBeside: sitemapsBeside(path) })
  })
}

export function addImportBrandProfile(parent: Command): void {
  parent
    .command('brand-profile')
    .argument('<file>', 'JSON; - reads standard input')
    .requiredOption('--project <project>', 'select the project, by its id, name or domain')
    .description('import the profile of the brand from a JSON file')
    .addHelpText(
      'after',
      example(
        'import brand-profile brand.json --project 8c1e…',
        'Fields, all optional: name, aliases, domains (the main domain first), description, industry.\n' +
          'A field that is absent stays. A list replaces the whole stored list.',
      ),
    )
    .action(
      perform<{ project: string }, [string]>(async (context, { project }, path) => {
        const [{ readSmallFile }, { importBrandProfile }] = await Promise.all([
          import('../../input/input-file.ts'),
          import('../../../resolvers/projects/brand-profile.ts'),
        ])
        const text = await readSmallFile(path)
        return changeProject(context, project, 'Changed', ({ db, actor, projectId }) =>
          importBrandProfile(db, actor, projectId, text),
        )
      }),
    )
}
