import type { Command } from 'commander'
import { notFound } from '../../core/errors.ts'
import { mostPrompts } from '../../core/prompt-input.ts'
import { counted } from '../../core/text/counted.ts'
import type { Catalog } from '../../prisma/client.ts'
import { describeChange } from '../change.ts'
import { idNamed } from '../names.ts'
import { commandGroup, example, projectCommand, repeatable } from '../options.ts'
import { readProject } from '../project-details.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog, withStores } from '../stores.ts'
import { columns } from '../text.ts'

/** Of the pairs that a dry run shows. */
const mostShown = 100_000

interface OfProject {
  readonly project: string
}

export function addPrompt(program: Command): void {
  const prompt = commandGroup(
    program,
    'prompt',
    'manage the prompts that AI platforms are asked; `import prompts` reads many from a file',
    'prompt list --project Sony',
  )
  projectCommand(prompt, 'list')
    .description('list prompts by their text')
    .option('--all', 'list archived prompts too')
    .addHelpText('after', example('prompt list --project Sony'))
    .action(perform(list))
  projectCommand(prompt, 'add')
    .argument('<text...>', 'the prompts')
    .option('--topic <topic>', 'put them in this topic; repeatable', repeatable, [])
    .description('add and track prompts; an existing question is not added again')
    .addHelpText(
      'after',
      example('prompt add --project Sony "Which headphones are best?" --topic Headphones'),
    )
    .action(perform(add))
  projectCommand(prompt, 'merge')
    .option('--dry-run', 'show which prompts would be merged, and change nothing')
    .description('merge prompts that ask the same question, with their answers')
    .addHelpText(
      'after',
      example(
        'prompt merge --project Sony --dry-run',
        'Case, spacing, quotes and the mark at the end make no other question. The oldest prompt is kept,\n' +
          'with the topics, locations and schedules of the others. A merge cannot be undone.',
      ),
    )
    .action(perform(merge))
  for (const action of ['archive', 'restore'] as const) {
    projectCommand(prompt, action)
      .argument('<prompt>', 'the prompt, by its id or its text')
      .description(
        action === 'archive'
          ? 'archive a prompt: it is not tracked, and reports keep its answers'
          : 'track an archived prompt again',
      )
      .addHelpText('after', example(`prompt ${action} --project Sony 5b07…`))
      .action(
        perform<OfProject, [string]>((context, { project }, given) =>
          track(context, project, given, action),
        ),
      )
  }
}

/** The project as the writes of prompts take it. @throws {Fault} `not_found` */
async function scopeOf(db: Catalog, projectId: string) {
  const { projectOfJob } = await import('../../resolvers/shared/job-scope.ts')
  const project = await projectOfJob(db, projectId)
  if (!project) throw notFound()
  return { db, project }
}

async function list(
  context: Context,
  { project, all }: OfProject & { all?: true },
): Promise<CommandResult> {
  const prompts = await withCatalog(context, async (db) => {
    const { id } = await readProject(db, project)
    return db.prompt.findMany({
      where: { projectId: id, ...(all ? {} : { isTracked: true }) },
      select: { id: true, text: true, isTracked: true, isBranded: true },
      orderBy: [{ text: 'asc' }, { id: 'asc' }],
    })
  })
  const rows = prompts.map(({ id, text, isTracked }) => [
    id,
    isTracked ? 'tracked' : 'archived',
    text,
  ])
  return { json: { prompts }, text: columns(rows, 'No prompts.') }
}

async function add(
  context: Context,
  { project, topic }: OfProject & { topic: string[] },
  texts: string[],
): Promise<CommandResult> {
  const [{ addPrompts }, { commandLine }] = await Promise.all([
    import('../../resolvers/prompts/add.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const added = await withCatalog(context, async (db) => {
    const topicIds = await Promise.all(topic.map((name) => idNamed(db, project, 'topicId', name)))
    const wanted = texts.map((text) => ({ text, topicIds }))
    const scope = await scopeOf(db, project)
    const rows = []
    // As many as a request may have: a transaction of thousands would keep others waiting.
    for (let at = 0; at < wanted.length; at += mostPrompts) {
      const part = wanted.slice(at, at + mostPrompts)
      const { prompts, existing, failures } = await addPrompts(scope, commandLine, part)
      for (const row of prompts) {
        rows.push({ id: row.id, text: row.text, isNew: !existing.includes(row) })
      }
      if (failures.length > 0) throw failures[0]
    }
    return rows
  })
  const text = added
    .map((row) => `${row.isNew ? 'Added prompt' : 'Already there: prompt'} ${row.id}: ${row.text}`)
    .join('\n')
  return { json: { prompts: added }, text }
}

async function merge(
  context: Context,
  { project, dryRun = false }: OfProject & { dryRun?: boolean },
): Promise<CommandResult> {
  const [{ mergePrompts }, { repeated }, { commandLine }] = await Promise.all([
    import('../../imports/prompts/merge.ts'),
    import('../../resolvers/prompts/merge.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const found = await withStores(context, async (stores) => {
    const { id: projectId } = await readProject(stores.db, project)
    return dryRun
      ? repeated(stores.db, projectId, mostShown)
      : mergePrompts(stores, commandLine, { projectId })
  })
  const merged = found.map(({ id, text, kept, keptText }) => ({ id, text, kept, keptText }))
  const lines = merged.map(({ id, text, kept }) => [id, `into ${kept}`, text])
  const done = dryRun ? 'would be merged; nothing was changed' : 'merged'
  return {
    json: { merged, dryRun },
    text:
      merged.length === 0
        ? 'No question has two prompts.'
        : `${columns(lines, '')}\n${counted(merged.length, 'prompt')} ${done}.`,
  }
}

async function track(
  context: Context,
  projectId: string,
  given: string,
  action: 'archive' | 'restore',
): Promise<CommandResult> {
  const [{ setPromptTracking }, { commandLine }] = await Promise.all([
    import('../../resolvers/prompts/change.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const json = await withCatalog(context, async (db) => {
    const scope = await scopeOf(db, projectId)
    const id = await idNamed(db, projectId, 'promptId', given)
    const before = await db.prompt.findFirst({ where: { id, projectId } }).catch(() => null)
    const { isTracked } = await setPromptTracking(scope, commandLine, id, { action })
    return { id, changed: before?.isTracked !== isTracked }
  })
  const done = action === 'archive' ? 'Archived prompt' : 'Tracked again: prompt'
  return { json, text: describeChange(done, json) }
}
