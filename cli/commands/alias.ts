import type { Command } from 'commander'
import { isExact } from '../../core/text/match-modes.ts'
import { projectChange } from '../change.ts'
import { commandGroup, example, projectCommand } from '../options.ts'
import { readProject } from '../project-details.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'
import { columns } from '../text.ts'

interface Alias {
  readonly text: string
  /** Null when the text decides. */
  readonly caseSensitive: boolean | null
}

/** Reads an alias as people write it: a leading `=` makes it case-sensitive. */
export function readAlias(text: string): Alias {
  return text.startsWith('=')
    ? { text: text.slice(1), caseSensitive: true }
    : { text, caseSensitive: null }
}

/** Aliases as `readAlias` takes them. */
export function showAliases(aliases: readonly Alias[]): string {
  return aliases
    .map(({ text, caseSensitive }) => (isExact(text, caseSensitive) ? `=${text}` : text))
    .join(', ')
}

const verbs = {
  add: ['add another name of a brand or of a competitor', 'Added alias'],
  remove: ['remove a name of a brand or of a competitor', 'Removed alias'],
} as const

export function addAlias(program: Command): void {
  const alias = commandGroup(
    program,
    'alias',
    'manage other names of brands and competitors',
    'alias add --project 8c1e… "=PlayStation"',
  )
  projectCommand(alias, 'list')
    .description('list the other names of the brand and of its competitors')
    .addHelpText('after', example('alias list --project Sony'))
    .action(perform(list))
  for (const verb of ['add', 'remove'] as const) {
    const [description, done] = verbs[verb]
    projectCommand(alias, verb)
      .argument('<text>', 'the name; with a leading = it matches its exact case only')
      .option('--competitor <id>', 'change the names of this competitor (default: of the brand)')
      .description(description)
      .addHelpText('after', example(`alias ${verb} --project 8c1e… "=PlayStation"`))
      .action(changeAlias(verb, done))
  }
}

async function list(context: Context, { project }: { project: string }): Promise<CommandResult> {
  const { name, aliases, competitors } = await withCatalog(context, (db) =>
    readProject(db, project),
  )
  const brands = [{ id: null, name, aliases }, ...competitors]
  const json = brands.flatMap((brand) =>
    brand.aliases.map((alias) => ({ ...alias, brand: brand.name, competitorId: brand.id })),
  )
  const rows = brands.flatMap((brand) =>
    brand.aliases.map((each) => [brand.name, showAliases([each])]),
  )
  return { json: { aliases: json }, text: columns(rows, 'No aliases.') }
}

function changeAlias(verb: 'add' | 'remove', done: string) {
  return projectChange<{ competitor?: string }, [string]>(
    done,
    async ({ db, actor, projectId }, { competitor }, text) => {
      const alias = readAlias(text)
      if (competitor === undefined) {
        const brand = await import('../../resolvers/projects/aliases.ts')
        const work = verb === 'add' ? brand.addBrandAlias : brand.removeBrandAlias
        return work(db, actor, projectId, alias)
      }
      const rivals = await import('../../resolvers/competitors/change.ts')
      const work = verb === 'add' ? rivals.addCompetitorAlias : rivals.removeCompetitorAlias
      return work(db, actor, projectId, competitor, alias)
    },
  )
}
