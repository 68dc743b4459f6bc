import type { Command } from 'commander'
import { type EventType, eventTypes, unasked } from '../../../core/channels/events.ts'
import { invalid } from '../../../core/errors.ts'
import { mailSettingsOf } from '../../../core/mail/settings.ts'
import { baseUrlOf } from '../../../core/settings.ts'
import type { ChannelKind } from '../../../resolvers/channels/channels.ts'
import { describeChange, workspaceChange } from '../../change.ts'
import { readStandardInput } from '../../input/standard-input.ts'
import { commandGroup, example, repeatable, workspaceCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'
import { columns } from '../../text.ts'
import { requireWorkspace } from '../workspace.ts'

const kinds: readonly ChannelKind[] = ['email', 'slack', 'teams', 'webhook']

export function addChannelCommands(program: Command): void {
  const channel = commandGroup(
    program,
    'channel',
    'manage channels of notifications: mail, Slack, Teams, webhooks',
    'channel list --workspace 5f0c…',
  )
  workspaceCommand(channel, 'add')
    .argument('<kind>', `one of ${kinds.join(', ')}`)
    .argument('[address]', 'the e-mail address; other addresses are read from standard input')
    .option('--name <name>', 'name the channel; default: made from the address')
    .option('--event <event>', 'send this event only; may be given again', repeatable, [])
    .option(
      '--only-project <id>',
      'send events of this project only; may be given again',
      repeatable,
      [],
    )
    .description('add a channel; a webhook prints its secret, once')
    .addHelpText(
      'after',
      example(
        'channel add slack --workspace 5f0c… < address.txt',
        'The address of Slack, Teams or a webhook is a secret, so it is no argument: other users of the machine can read those.',
        `Events: ${eventTypes.filter((type) => !unasked.includes(type)).join(', ')}.`,
      ),
    )
    .action(perform(add))
  workspaceCommand(channel, 'list')
    .description('list channels, oldest first, without their secrets')
    .addHelpText('after', example('channel list --workspace 5f0c…'))
    .action(perform(list))
  workspaceCommand(channel, 'test')
    .argument('<id>', 'the channel')
    .description('send a test to a channel, and print the result')
    .addHelpText('after', example('channel test --workspace 5f0c… 9b1e…'))
    .action(perform(test))
  workspaceCommand(channel, 'rotate')
    .argument('<id>', 'the channel, a webhook')
    .description('print a new secret for a webhook; the old one also signs for 24 hours')
    .addHelpText('after', example('channel rotate --workspace 5f0c… 9b1e…'))
    .action(perform(rotate))
  for (const [verb, state, done, what] of [
    ['pause', 'paused', 'Paused channel', 'send nothing to a channel for now'],
    ['enable', 'on', 'Enabled channel', 'send to a paused or disabled channel again'],
  ] as const) {
    workspaceCommand(channel, verb)
      .argument('<id>', 'the channel')
      .description(what)
      .addHelpText('after', example(`channel ${verb} --workspace 5f0c… 9b1e…`))
      .action(
        workspaceChange<object, [string]>(done, async (write, _options, channelId) => {
          const { switchChannel } = await import('../../../resolvers/channels/channels.ts')
          const { db, actor, workspaceId } = write
          return switchChannel(db, actor, { workspaceId, channelId }, state)
        }),
      )
  }
  workspaceCommand(channel, 'remove')
    .argument('<id>', 'the channel')
    .description('remove a channel with its deliveries and digests')
    .addHelpText('after', example('channel remove --workspace 5f0c… 9b1e…'))
    .action(
      workspaceChange<object, [string]>('Removed channel', async (write, _options, channelId) => {
        const { removeChannel } = await import('../../../resolvers/channels/channels.ts')
        const { db, actor, workspaceId } = write
        return removeChannel(db, actor, { workspaceId, channelId })
      }),
    )
}

interface OfWorkspace {
  readonly workspace: string
}

interface NewChannel extends OfWorkspace {
  readonly name?: string
  readonly event: readonly string[]
  readonly onlyProject: readonly string[]
}

async function add(
  context: Context,
  { workspace: workspaceId, name, event, onlyProject }: NewChannel,
  given: string,
  address: string | undefined,
): Promise<CommandResult> {
  const kind = kinds.find((each) => each === given)
  if (!kind) throw invalid('kind', `must be one of ${kinds.join(', ')}`, given)
  const [{ addChannel }, { commandLine }] = await imports()
  const { settings } = context
  const to = address ?? (await readStandardInput()).trim()
  const { row, secret } = await withCatalog(context, (db, { signingSecrets: [signingSecret] }) =>
    addChannel(
      db,
      commandLine,
      workspaceId,
      { kind, address: to, name, events: event as EventType[], projectIds: [...onlyProject] },
      {
        signingSecret,
        privateHosts: settings.ALLOW_PRIVATE_HOSTS,
        isMailed: mailSettingsOf(settings) !== null,
      },
    ),
  )
  const lines = [`Added channel ${row.id}: ${row.name}`]
  if (row.state === 'unconfirmed') {
    lines.push(`${row.display} gets a mail with a link, and nothing more before it is confirmed.`)
  }
  if (secret !== null) lines.push(`Its secret, which is shown only now: ${secret}`)
  return { json: { ...row, secret }, text: lines.join('\n') }
}

async function list(context: Context, { workspace }: OfWorkspace): Promise<CommandResult> {
  const [{ loadChannels }] = await imports()
  const [channels = []] = await withCatalog(context, async (db) => {
    await requireWorkspace(db, workspace)
    return loadChannels(db, [workspace.toLowerCase()])
  })
  const rows = channels.map(({ id, kind, name, display, state, disabledReason }) => [
    id,
    kind,
    state,
    name,
    display,
    disabledReason ?? '',
  ])
  return { json: { channels }, text: columns(rows, 'No channels.') }
}

async function test(
  context: Context,
  { workspace: workspaceId }: OfWorkspace,
  channelId: string,
): Promise<CommandResult> {
  const [{ testChannel }, { sendTo }, { openMailer }] = await Promise.all([
    import('../../../resolvers/channels/deliveries.ts'),
    import('../../../sending/channel.ts'),
    import('../../../sending/mail.ts'),
  ])
  const { settings } = context
  const mail = mailSettingsOf(settings)
  const mailer = mail && openMailer(mail)
  const sender = { privateHosts: settings.ALLOW_PRIVATE_HOSTS, mailer }
  const { testProblem: problem, delivery } = await withCatalog(context, (db, { signingSecrets }) =>
    testChannel(
      db,
      { baseUrl: baseUrlOf(settings), signingSecrets },
      { workspaceId, channelId },
      (channel, what) => sendTo(channel, what, sender),
    ),
  ).finally(() => mailer?.close())
  const json = { id: channelId, deliveryId: delivery.id, problem }
  return problem === null
    ? { json, text: 'The receiver took the test.' }
    : { json, text: problem, exitCode: 1 }
}

async function rotate(
  context: Context,
  { workspace: workspaceId }: OfWorkspace,
  channelId: string,
): Promise<CommandResult> {
  const [{ rotateChannelSecret }, { commandLine }] = await imports()
  const { subjectId: id, secret } = await withCatalog(
    context,
    (db, { signingSecrets: [signingSecret] }) =>
      rotateChannelSecret(db, commandLine, { workspaceId, channelId }, signingSecret),
  )
  const done = describeChange('Rotated the secret of channel', { id, changed: true })
  const text = `${done}\nThe new secret, which is shown only now: ${secret}\nFor 24 hours the one before signs too.`
  return { json: { id, secret }, text }
}

// Loaded when a command runs: they load the client of the catalog.
function imports() {
  return Promise.all([
    import('../../../resolvers/channels/channels.ts'),
    import('../../../resolvers/shared/audit-trail.ts'),
  ])
}
