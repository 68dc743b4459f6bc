import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import { sortedJson } from '../json.ts'
import type { Proof, ProvenAnswer, Unsigned } from './format.ts'
import { leafHash, merkleRoot, sha256 } from './merkle.ts'

/** What precedes the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key of an instance: derived from its signing secret, so that a backup of the secrets keeps it. */
export function proofKey(signingSecret: string): KeyObject {
  const seed = hkdfSync('sha256', signingSecret, '', 'sightline proof', 32)
  const key = Buffer.concat([pkcs8Head, Buffer.from(seed)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

export const leafOf = ({
  id,
  promptId,
  platform,
  day,
  mentions,
  position,
  textHash,
}: Omit<ProvenAnswer, 'leaf'>): string =>
  leafHash(JSON.stringify([id, promptId, platform, day, mentions, position, textHash]))

type Signed = Omit<Proof, 'answers' | 'root' | 'hashes' | 'signature'>

/** The hash of each signed member, by its name, such as `claims` or `parameters.from`. */
export function hashesOf(proof: Signed): Record<string, string> {
  const { format, createdAt, brand, claims, window, filters, statement, rules, parameters } = proof
  const members = { format, createdAt, brand, claims, window, filters, statement, rules }
  const each = [
    ...Object.entries(members),
    ...Object.entries(parameters).map(([name, value]) => [`parameters.${name}`, value] as const),
  ]
  return Object.fromEntries(
    each.map(([name, value]) => [name, sha256(sortedJson(value)).toString('hex')]),
  )
}

export const signedText = ({ hashes, root }: Pick<Proof, 'hashes' | 'root'>): Buffer =>
  Buffer.from(sortedJson({ hashes, root }))

const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'jwk' }).x ?? ''

/** The same proof without the texts of its answers: their hashes stay, and so does the signature. */
export const withoutTexts = (proof: Proof): Proof => ({
  ...proof,
  answers: proof.answers.map(({ text: _text, ...answer }) => answer),
})

/** Hashes and signs. Without texts, the hashes of the texts stay. */
export function signProof(
  { answers: given, ...rest }: Unsigned,
  key: KeyObject,
  withTexts: boolean,
): Proof {
  const answers = given.map(({ text, ...answer }) => {
    const hashed = { ...answer, textHash: sha256(text).toString('hex') }
    return { ...hashed, leaf: leafOf(hashed), ...(withTexts && { text }) }
  })
  const signed = { format: 'sightline-proof-2' as const, ...rest }
  const root = merkleRoot(answers.map(({ leaf }) => leaf))
  const hashes = hashesOf(signed)
  const value = sign(null, signedText({ hashes, root }), key).toString('base64url')
  const signature = { algorithm: 'Ed25519' as const, publicKey: publicKeyOf(key), value }
  return { ...signed, answers, root, hashes, signature }
}
