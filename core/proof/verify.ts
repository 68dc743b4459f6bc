import { createPublicKey, verify } from 'node:crypto'
import { rounded, share } from '../metrics.ts'
import type { ForeignWords } from '../text/languages/foreign-words.ts'
import { compileBrands } from '../text/mentions.ts'
import { rulesVersion } from '../text/rules-version.ts'
import type { Proof } from './format.ts'
import { merkleRoot, sha256 } from './merkle.ts'
import { hashesOf, leafOf, signedText } from './sign.ts'

export interface Verdict {
  /** Nothing differs. */
  readonly isValid: boolean
  readonly mentioned: number
  readonly answers: number
  /** Answers whose text was read again. */
  readonly textsRead: number
  /** What differs, and what could not be checked. */
  readonly differences: readonly string[]
  readonly notes: readonly string[]
}

const count = (many: number) => many.toLocaleString('en-US')

/** Counts the claim of a proof again, from what the proof has. */
export function verifyProof(proof: Proof, words: ForeignWords): Verdict {
  const { answers, rules } = proof
  const matcher = compileBrands(rules.brands, words)
  const isSameRules = rules.names === rulesVersion.names
  const differences: string[] = []
  let mentioned = 0
  let textsRead = 0
  const seen = new Set<string>()
  for (const answer of answers) {
    const { id, text, textHash, platform, leaf, isMentioned } = answer
    if (seen.has(id)) differences.push(`Answer ${id} is listed twice.`)
    seen.add(id)
    if (leafOf(answer) !== leaf) {
      differences.push(`Answer ${id}: its entry or the hash of its text was changed.`)
    }
    if (text === undefined) {
      mentioned += Number(isMentioned)
      continue
    }
    textsRead += 1
    if (sha256(text).toString('hex') !== textHash) {
      differences.push(`Answer ${id}: its text does not match its hash.`)
    }
    const isFound = matcher.find(text, platform).some(({ isOwn }) => isOwn)
    mentioned += Number(isSameRules ? isFound : isMentioned)
    if (isSameRules && isFound !== isMentioned) {
      const [found, said] = isFound ? ['mentions', 'it does not'] : ['does not mention', 'it does']
      differences.push(`Answer ${id}: the text ${found} the brand, and the proof says ${said}.`)
    }
  }
  differences.push(...signatureFaults(proof), ...claimFaults(proof, mentioned))
  const notes = [
    answers.length > textsRead
      ? `${count(answers.length - textsRead)} texts were left out: their hashes and counts were checked.`
      : '',
    isSameRules || textsRead === 0
      ? ''
      : `The proof counts by version ${rules.names} of the rules for names, and this Sightline has version ${rulesVersion.names}: the texts were not counted again.`,
  ].filter(Boolean)
  const isValid = differences.length === 0
  return { isValid, mentioned, answers: answers.length, textsRead, differences, notes }
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

function claimFaults({ claim, answers }: Proof, mentioned: number): string[] {
  const { numerator, denominator, value } = claim
  const faults: string[] = []
  if (numerator !== mentioned || denominator !== answers.length) {
    faults.push(
      `The proof says ${count(numerator)} of ${count(denominator)}; recounted: ${count(mentioned)} of ${count(answers.length)}.`,
    )
  }
  if (value !== rounded(share(numerator, denominator))) {
    faults.push(`The proof says ${value} %, which is not ${numerator} of ${denominator}.`)
  }
  return faults
}

/** "Recounted: 575 of 1,124, equal." */
export function verdictText({ isValid, mentioned, answers, differences, notes }: Verdict): string {
  const recounted = `Recounted: ${count(mentioned)} of ${count(answers)}`
  const head = isValid ? `${recounted}, equal.` : `${recounted}. The proof does not hold:`
  return [head, ...differences, ...notes].join('\n')
}
