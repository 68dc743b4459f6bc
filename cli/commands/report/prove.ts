import type { Command } from 'commander'
import { notFound } from '../../../core/errors.ts'
import { proofKey, withoutTexts } from '../../../core/proof/sign.ts'
import { verifyProof } from '../../../core/proof/verify.ts'
import { foreignWords } from '../../../core/text/languages/foreign-words.ts'
import { CliError } from '../../errors.ts'
import { example, projectCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { withStores } from '../../stores.ts'

interface Options {
  readonly project: string
  readonly days?: string
  readonly from?: string
  readonly to?: string
  readonly platform?: string
  readonly texts: boolean
}

/** Adds what writes the numbers of a brand with all that it takes to count them again. */
export function addProve(reports: Command): void {
  projectCommand(reports, 'prove')
    .description(
      'print visibility, share of voice and average position as a signed proof, which `sightline verify` counts again',
    )
    .option('--days <number>', 'cover this many days up to today; at most 365')
    .option('--from <day>', 'cover the days from this one, such as 2026-05-01')
    .option('--to <day>', 'cover the days up to this one')
    .option('--platform <names>', 'count only these AI platforms, separated by commas')
    .option('--no-texts', 'leave the texts of the answers out: their hashes stay')
    .addHelpText('after', example('report prove --project Sony --days 30 > proof.json'))
    .action(perform<Options>(prove))
}

function prove(context: Context, options: Options): Promise<CommandResult> {
  const { project: id, days, from, to, platform, texts } = options
  return withStores(context, async ({ db, warehouse, secrets }) => {
    const [{ jobScope }, { prove: proofOf }] = await Promise.all([
      import('../../../resolvers/shared/job-scope.ts'),
      import('../../../resolvers/proof/proof.ts'),
    ])
    const scope = await jobScope({ db, warehouse }, id, new Date())
    if (!scope) throw notFound()
    const args = {
      days: days === undefined ? undefined : Number(days),
      from,
      to,
      platform: platform?.split(',').map((name) => name.trim()),
    }
    const key = proofKey(secrets.signingSecrets[0])
    const whole = await proofOf(scope, args, key)
    const { differences } = verifyProof(whole, await foreignWords())
    if (differences.length > 0) {
      throw new CliError(
        'proof_differs',
        `The stored counts are not those of the present names: ${differences[0]} Run \`sightline recount\` first.`,
      )
    }
    const proof = texts ? whole : withoutTexts(whole)
    return { json: proof, text: JSON.stringify(proof, null, 1) }
  })
}
