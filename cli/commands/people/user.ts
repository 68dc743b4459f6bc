import type { Command } from 'commander'
import { baseUrlOf } from '../../../core/settings.ts'
import { CliError } from '../../errors.ts'
import { commandGroup, example } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withCatalog } from '../../stores.ts'

const linkHours = 24

export function addUser(program: Command): void {
  const user = commandGroup(
    program,
    'user',
    'help people who cannot sign in',
    'user reset-password ann@example.com',
  )
  user
    .command('reset-password')
    .argument('<address>', 'the e-mail address of the person')
    .description('remove the password of a person, and print a link that signs them in')
    .addHelpText(
      'after',
      example(
        'user reset-password ann@example.com',
        `The link works once, within ${linkHours} hours. It opens the account, where the person chooses a new password. All browsers of the person are signed out.`,
      ),
    )
    .action(perform<object, [string]>((context, _options, address) => reset(context, address)))
}

async function reset(context: Context, address: string): Promise<CommandResult> {
  const [{ removePassword }, { makePageCode }] = await Promise.all([
    import('../../../resolvers/members/passwords.ts'),
    import('../../../resolvers/keys/page-codes.ts'),
  ])
  const email = address.trim().toLowerCase()
  const code = await withCatalog(context, async (db) => {
    const where = { email, memberships: { some: {} } }
    const user = await db.user.findFirst({ where, select: { id: true } })
    if (!user) throw new CliError('not_found', `No workspace has a member ${email}.`)
    await removePassword(db, user.id)
    return makePageCode(db, { userId: user.id }, linkHours * 60 * 60 * 1000)
  })
  const url = `${baseUrlOf(context.settings)}/account#code=${code}`
  const text = `${url}\n\nSend the link to ${email}. It works once, within ${linkHours} hours.`
  return { json: { email, url }, text }
}
