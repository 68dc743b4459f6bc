import { createPublicKey, verify } from 'node:crypto'
import type { ForeignWords } from '../text/languages/foreign-words.ts'
import { type BrandMatcher, compileBrands } from '../text/mentions.ts'
import { rulesVersion } from '../text/rules-version.ts'
import { claimOf, countAnswers, countsOfMetrics } from './claims.ts'
import type { Claim, Proof, ProvenAnswer } from './format.ts'
import { merkleRoot, sha256 } from './merkle.ts'
import { hashesOf, leafOf, signedText } from './sign.ts'

export interface Verdict {
  /** Nothing differs. */
  readonly isValid: boolean
  /** The claims as they were counted again. */
  readonly claims: readonly Claim[]
  readonly answers: number
  /** Answers whose text was read again. */
  readonly textsRead: number
  /** What differs, and what could not be checked. */
  readonly differences: readonly string[]
  readonly notes: readonly string[]
}

const count = (many: number) => many.toLocaleString('en-US')

type Entry = Pick<ProvenAnswer, 'mentions' | 'position'>

/** What the text of an answer says of the brands, and whether its entry says something else. */
export function readAgain(
  matcher: BrandMatcher,
  { text = '', platform, mentions, position }: ProvenAnswer,
): Entry & { readonly isOther: boolean } {
  const found = matcher.find(text, platform)
  const read: Entry = {
    mentions: found.map(({ brandId }) => brandId).sort(),
    position: found.find(({ isOwn }) => isOwn)?.rank ?? null,
  }
  const isSame = read.position === position && read.mentions.join() === mentions.join()
  return { ...read, isOther: !isSame }
}

/** Counts the claims of a proof again, from what the proof has. */
export function verifyProof(proof: Proof, words: ForeignWords): Verdict {
  const { answers, rules } = proof
  const matcher = compileBrands(rules.brands, words)
  const isSameRules = rules.names === rulesVersion.names
  const differences: string[] = []
  const entries: Entry[] = []
  let textsRead = 0
  const seen = new Set<string>()
  for (const answer of answers) {
    const { id, text, textHash, leaf } = answer
    if (seen.has(id)) differences.push(`Answer ${id} is listed twice.`)
    seen.add(id)
    if (leafOf(answer) !== leaf) {
      differences.push(`Answer ${id}: its entry or the hash of its text was changed.`)
    }
    if (text === undefined) {
      entries.push(answer)
      continue
    }
    textsRead += 1
    if (sha256(text).toString('hex') !== textHash) {
      differences.push(`Answer ${id}: its text does not match its hash.`)
    }
    const read = isSameRules ? readAgain(matcher, answer) : { ...answer, isOther: false }
    entries.push(read)
    if (read.isOther) {
      differences.push(
        `Answer ${id}: the proof says ${saidOf(answer)}, and its text ${saidOf(read)}.`,
      )
    }
  }
  const counts = countsOfMetrics(countAnswers(entries))
  const claims = proof.claims.map(({ metric }) => claimOf(metric, counts[metric]))
  differences.push(...signatureFaults(proof), ...claimFaults(proof, claims))
  const notes = [
    answers.length > textsRead
      ? `${count(answers.length - textsRead)} texts were left out: their hashes and counts were checked.`
      : '',
    isSameRules || textsRead === 0
      ? ''
      : `The proof counts by version ${rules.names} of the rules for names, and this Sightline has version ${rulesVersion.names}: the texts were not counted again.`,
  ].filter(Boolean)
  const isValid = differences.length === 0
  return { isValid, claims, answers: answers.length, textsRead, differences, notes }
}

function signatureFaults(proof: Proof): string[] {
  const { hashes, signature, answers, root } = proof
  const now = hashesOf(proof)
  const names = [...new Set([...Object.keys(hashes), ...Object.keys(now)])]
  const changed = names
    .filter((name) => hashes[name] !== now[name])
    .map((name) => `\`${name}\` is not what was signed.`)
  if (merkleRoot(answers.map(({ leaf }) => leaf)) !== root) {
    changed.push('The list of answers does not give the root that was signed.')
  }
  if (!isSigned(proof)) {
    changed.push(`The signature is not one of the key ${signature.publicKey} over this proof.`)
  }
  return changed
}

function isSigned({ signature, ...proof }: Proof): boolean {
  const { publicKey: x, value } = signature
  try {
    const given = Buffer.from(value, 'base64url')
    // Several spellings decode to the same bytes: only the one that re-encodes to itself counts.
    if (given.toString('base64url') !== value) return false
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, signedText(proof), key, given)
  } catch {
    // No key of this kind.
    return false
  }
}

function claimFaults({ claims }: Proof, recounted: readonly Claim[]): string[] {
  return claims.flatMap((claim, at) => {
    const { metric, numerator, denominator, value } = claim
    const again = recounted[at] ?? claim
    const name = nameOf(metric)
    const faults: string[] = []
    if (numerator !== again.numerator || denominator !== again.denominator) {
      faults.push(`${name}: the proof says ${ofText(claim)}; recounted: ${ofText(again)}.`)
    }
    if (value !== claimOf(metric, claim).value) {
      faults.push(`${name}: the proof says ${value}, which is not ${ofText(claim)}.`)
    }
    return faults
  })
}

const ofText = ({ numerator, denominator }: Pick<Claim, 'numerator' | 'denominator'>) =>
  `${count(numerator)} of ${count(denominator)}`

/** "Share of voice" of `share_of_voice`. */
function nameOf(metric: string): string {
  const words = metric.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What an entry says of an answer: "brands a, b and position 2". */
const saidOf = ({ mentions, position }: Entry) =>
  `${mentions.length === 0 ? 'no brand' : mentions.join(', ')}${position === null ? '' : ` and position ${position}`}`

const valueText = ({ metric, value }: Claim) =>
  value === null ? '–' : `${value}${metric === 'average_position' ? '' : ' %'}`

/** "Visibility: 575 of 1,124, 51.16 %." for each claim, and whether all are equal. */
export function verdictText({ isValid, claims, answers, differences, notes }: Verdict): string {
  const recounted = claims.map(
    (claim) => `${nameOf(claim.metric)}: ${ofText(claim)}, ${valueText(claim)}`,
  )
  const head = isValid
    ? `Recounted from ${count(answers)} answers, equal:`
    : `Recounted from ${count(answers)} answers. The proof does not hold:`
  const body = isValid ? recounted : [...differences, ...recounted]
  return [head, ...body, ...notes].join('\n')
}
