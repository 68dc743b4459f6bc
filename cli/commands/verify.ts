import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { proofSchema } from '../../core/proof/format.ts'
import { verdictText, verifyProof } from '../../core/proof/verify.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { CliError } from '../errors.ts'
import { example } from '../options.ts'
import { type CommandResult, perform } from '../run.ts'

interface Options {
  readonly key?: string
  readonly schema?: true
}

/** Adds what counts the numbers of a proof again. It needs no service, no data folder, and for a file no network. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .argument('[proof]', 'the file or URL of a proof, or the link of a shared report')
    .description('verify the numbers of a proof, without the service that made it')
    .option('--key <key>', 'require this public key, as the instance printed it')
    .option('--schema', 'print the JSON Schema of proofs')
    .addHelpText(
      'after',
      example('verify proof.json', 'The exit code is 1 when anything differs from the proof.'),
    )
    .action(
      perform<Options, [string | undefined]>((_context, options, place) =>
        options.schema ? Promise.resolve(schemaOfProofs()) : verify(place, options),
      ),
    )
}

function schemaOfProofs(): CommandResult {
  const json = z.toJSONSchema(proofSchema)
  return { json, text: JSON.stringify(json, null, 2) }
}

async function verify(place: string | undefined, { key }: Options): Promise<CommandResult> {
  if (place === undefined) {
    throw new CliError('usage', 'Give the file or URL of a proof.', { exitCode: 2 })
  }
  const proof = proofIn(await textAt(place), place)
  const verdict = verifyProof(proof, await foreignWords())
  const { publicKey } = proof.signature
  const isOther = key !== undefined && key !== publicKey
  const wrong = `The proof was signed by the key ${publicKey}, not by ${key}.`
  const differences = [...verdict.differences, ...(isOther ? [wrong] : [])]
  const whole = { ...verdict, differences, isValid: differences.length === 0 }
  const { brand, window } = proof
  const text = [
    `${brand}, ${window.from} to ${window.to}`,
    verdictText(whole),
    `Signed by the key ${publicKey}.`,
  ].join('\n')
  return { json: { ...whole, brand, window, publicKey }, text, exitCode: whole.isValid ? 0 : 1 }
}

/** Where the page of a shared report has its proof. */
const proofEnd = '/proof.json'

async function textAt(place: string): Promise<string> {
  try {
    if (!/^https?:\/\//.test(place)) return await readFile(place, 'utf8')
    const response = await fetch(place)
    if (!response.ok) throw new Error(`status ${response.status}`)
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
    if (!isPage || place.endsWith(proofEnd)) return await response.text()
    const proof = await fetch(place.replace(/\/?$/, proofEnd))
    if (!proof.ok)
      throw new Error(`its proof has the status ${proof.status}: ${await proof.text()}`)
    return await proof.text()
  } catch (error) {
    const { message } = error as Error
    throw new CliError('proof_not_readable', `${place} cannot be read: ${message}.`)
  }
}

/** @throws {CliError} `proof_not_valid` */
function proofIn(text: string, place: string) {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new CliError('proof_not_valid', `${place} is not JSON.`)
  }
  const { data, error } = proofSchema.safeParse(json)
  if (data) return data
  const [first] = error.issues
  throw new CliError(
    'proof_not_valid',
    `${place} is no proof of Sightline: \`${first?.path.join('.')}\`: ${first?.message}.`,
  )
}
