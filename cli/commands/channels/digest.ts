import type { Command } from 'commander'
import { withAddresses } from '../../../core/channels/events.ts'
import { eventMail } from '../../../core/channels/mail.ts'
import { notFound } from '../../../core/errors.ts'
import { renderMail } from '../../../core/mail/template.ts'
import { baseUrlOf } from '../../../core/settings.ts'
import { describeChange } from '../../change.ts'
import { projectIdOf } from '../../names.ts'
import { commandGroup, example, projectCommand, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog, withStores } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

export function addDigest(program: Command): void {
  const digest = commandGroup(
    program,
    'digest',
    'send a weekly summary of a project to a channel',
    'digest send --project acme.com --dry-run',
  )
  workspaceCommand(digest, 'list')
    .description('list the digests of all channels')
    .addHelpText('after', example('digest list --workspace 5f0c…'))
    .action(perform(list))
  projectCommand(digest, 'set')
    .requiredOption('--channel <id>', 'the channel')
    .option('--weekday <day>', 'day of the week: 1 is Monday, 7 Sunday', '1')
    .option('--hour <hour>', 'hour of the day, 0 to 23', '7')
    .option('--time-zone <zone>', 'IANA name of the time zone', 'UTC')
    .description('send a digest each week; one of the same channel and project is changed')
    .addHelpText(
      'after',
      example('digest set --project acme.com --channel 9b1e… --time-zone Europe/Berlin'),
    )
    .action(perform(set))
  projectCommand(digest, 'send')
    .option('--channel <id>', 'the channel; not needed with --dry-run')
    .option('--dry-run', 'print the digest, and send nothing')
    .description('send the digest of the last seven days now')
    .addHelpText('after', example('digest send --project acme.com --dry-run'))
    .action(perform(send))
  workspaceCommand(digest, 'remove')
    .argument('<id>', 'the digest')
    .description('end a digest')
    .addHelpText('after', example('digest remove --workspace 5f0c… 7c2a…'))
    .action(perform(remove))
}

async function list(
  context: Context,
  { workspace }: { readonly workspace: string },
): Promise<CommandResult> {
  const [{ loadChannels }, { loadDigests }] = await Promise.all([
    import('../../../resolvers/channels/channels.ts'),
    import('../../../resolvers/channels/digests.ts'),
  ])
  const { channels, digests } = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    const [found = []] = await loadChannels(db, [workspace.toLowerCase()])
    const lists = await loadDigests(
      db,
      found.map(({ id }) => id),
    )
    return { channels: found, digests: lists.flat() }
  })
  const nameOf = new Map(channels.map(({ id, name }) => [id, name]))
  const rows = digests.map(({ id, channelId, project, timeZone, nextAt }) => [
    id,
    project.name,
    nameOf.get(channelId) ?? '',
    `next ${nextAt.toISOString()}`,
    timeZone,
  ])
  return { json: { digests }, text: columns(rows, 'No digests.') }
}

interface SetOptions {
  readonly project: string
  readonly channel: string
  readonly weekday: string
  readonly hour: string
  readonly timeZone: string
}

async function set(
  context: Context,
  { project, channel, weekday, hour, timeZone }: SetOptions,
): Promise<CommandResult> {
  const [{ setDigest }, { commandLine }] = await imports()
  const {
    subjectId: id,
    changed,
    row,
  } = await withCatalog(context, async (db) => {
    const projectId = await projectIdOf(db, project)
    const { workspaceId } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
    const terms = { weekday: Number(weekday), hour: Number(hour), timeZone }
    return setDigest(db, commandLine, workspaceId, { channelId: channel, projectId, ...terms })
  })
  const next = `The next one is sent at ${row.nextAt.toISOString()}.`
  return {
    json: { id, changed, nextAt: row.nextAt },
    text: `${describeChange('Set digest', { id, changed })}\n${next}`,
  }
}

interface SendOptions {
  readonly project: string
  readonly channel?: string
  readonly dryRun?: true
}

async function send(
  context: Context,
  { project, channel, dryRun }: SendOptions,
): Promise<CommandResult> {
  const [{ makeDigest }, { sendContent }, { CliError }] = await Promise.all([
    import('../../../digest/digest.ts'),
    import('../../../resolvers/channels/digests.ts'),
    import('../../errors.ts'),
  ])
  if (!dryRun && channel === undefined) {
    throw new CliError('usage', 'Give --channel, or --dry-run to print the digest.', {
      exitCode: 2,
    })
  }
  return withStores(context, async (stores) => {
    const projectId = await projectIdOf(stores.db, project)
    const content = await makeDigest(context.settings, stores, projectId, new Date())
    if (!content) throw notFound(projectId)
    if (dryRun || channel === undefined) {
      const event = await previewOf(stores.db, projectId, content)
      const shown = withAddresses(event, baseUrlOf(context.settings))
      const mail = renderMail(eventMail(shown, { channel: 'preview', unsubscribeUrl: '' }))
      const [text = ''] = mail.text.split('\n--\n')
      return { json: event, text: text.trim() }
    }
    const id = await sendContent(stores.db, { channelId: channel, projectId }, content)
    return { json: { deliveryId: id }, text: `The digest waits for the worker as delivery ${id}.` }
  })
}

async function previewOf(
  ...given: Parameters<typeof import('../../../resolvers/channels/digests.ts')['digestEvent']>
) {
  const { digestEvent } = await import('../../../resolvers/channels/digests.ts')
  return digestEvent(...given)
}

async function remove(
  context: Context,
  { workspace }: { readonly workspace: string },
  digestId: string,
): Promise<CommandResult> {
  const [{ removeDigest }, { commandLine }] = await imports()
  const { subjectId: id, changed } = await withCatalog(context, (db) =>
    removeDigest(db, commandLine, workspace, digestId),
  )
  return { json: { id, changed }, text: describeChange('Removed digest', { id, changed }) }
}

// Loaded when a command runs: they load the client of the catalog.
function imports() {
  return Promise.all([
    import('../../../resolvers/channels/digests.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
}
