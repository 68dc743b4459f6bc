import type { Command } from 'commander'
import { CliError } from '../errors.ts'
import { perform } from '../run.ts'
import { withCatalog } from '../stores.ts'

interface Options {
  workspace: string
  name: string
  domain: string
  alias: string[]
  competitor: string[]
  kind: 'regular' | 'pitch'
}

/** @returns the word `project`, for more commands */
export function addProject(program: Command): Command {
  const project = program.command('project').description('Projects: one brand and its competitors')
  project
    .command('create')
    .description(
      'Makes a project. Answers are searched for the brand by its name and aliases, in any case; an alias ' +
        'that begins with = counts only when written exactly so.',
    )
    .requiredOption('--workspace <id>', 'the workspace it belongs to')
    .requiredOption('--name <name>', 'the brand')
    .requiredOption('--domain <domain>', "the brand's domain, such as example.com")
    .option('--alias <text>', 'another name of the brand; repeatable', collect, [])
    .option('--competitor <name:domain>', 'a competitor; repeatable', collect, [])
    .option('--kind <kind>', 'regular or pitch', 'regular')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sightline project create --workspace 5f0c… --name "Sony" --domain sony.com \\\n' +
        '      --alias "Sony Corporation" --alias "=PlayStation" --competitor "Bose:bose.com"',
    )
    .action(
      perform<Options>(async (context, options) => {
        const { createProject } = await import('../../resolvers/projects/create.ts')
        const { workspace: workspaceId, name, domain, kind } = options
        const aliases = options.alias.map(readAlias)
        const competitors = options.competitor.map(readCompetitor)
        const input = { workspaceId, name, domain, kind, aliases, competitors }
        const made = await withCatalog(context, (catalog, secrets) =>
          createProject(catalog, input, secrets.signingSecrets[0]),
        )
        const text = `Project     ${made.id}\nSite token  ${made.siteToken}`
        return { json: made, text }
      }),
    )
  return project
}

function collect(value: string, before: string[]): string[] {
  return [...before, value]
}

/** An alias as people write it: a leading `=` says that the case counts. */
export function readAlias(text: string): { text: string; caseSensitive: boolean } {
  const caseSensitive = text.startsWith('=')
  return { text: caseSensitive ? text.slice(1) : text, caseSensitive }
}

// The name may hold colons, and the domain the one of https://.
function readCompetitor(text: string): { name: string; domain: string } {
  const { name, domain } =
    /^(?<name>.+?):(?<domain>(?:https?:\/\/)?[^:]+)$/.exec(text)?.groups ?? {}
  if (name && domain) return { name, domain }
  throw new CliError(
    'usage',
    `--competitor "${text}": write it as name:domain, such as Bose:bose.com`,
    {
      exitCode: 2,
    },
  )
}
