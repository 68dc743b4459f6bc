import type { Command } from 'commander'
import { example, projectCommand } from '../options.ts'
import { type CommandResult, type Context, perform } from '../run.ts'
import { withCatalog } from '../stores.ts'

export function addSiteToken(program: Command): void {
  projectCommand(program, 'site-token')
    .option('--host <host>', 'name the host that sends the events, such as www.example.com')
    .description("link the tracker to a project, and show the project's site token")
    .addHelpText(
      'after',
      example(
        'site-token --project 8c1e…',
        'Events carry the token in `site_token`. Every call shows the same token.',
      ),
    )
    .action(perform(showSiteToken))
}

async function showSiteToken(
  context: Context,
  { project, host }: { project: string; host?: string },
): Promise<CommandResult> {
  const [{ createSiteToken }, { commandLine }] = await Promise.all([
    import('../../resolvers/connections/site-tokens.ts'),
    import('../../resolvers/shared/audit-trail.ts'),
  ])
  const projectId = project.toLowerCase()
  const { siteToken } = await withCatalog(context, (db, { signingSecrets: [secret] }) =>
    createSiteToken(db, commandLine, projectId, { host }, secret),
  )
  const text = [
    siteToken,
    'Put the token into `site_token` of each request to `POST /v1/events` of the tracker.',
    'The request also needs an ingest key of the workspace: `npx sightline ingest-key create`.',
  ].join('\n')
  return { json: { projectId, siteToken }, text }
}
