import { z } from 'zod'

const hash = z.string().regex(/^[0-9a-f]{64}$/)

const name = z.strictObject({
  text: z.string(),
  caseSensitive: z.boolean(),
  byLanguage: z.boolean().default(false),
  excludedPhrases: z.array(z.string()).default([]),
})

const answer = z.strictObject({
  id: z.uuid(),
  promptId: z.uuid(),
  platform: z.string(),
  day: z.iso.date(),
  isMentioned: z.boolean().describe('Whether the answer mentions the brand.'),
  textHash: hash.describe('SHA-256 of the text in UTF-8.'),
  leaf: hash.describe('SHA-256 of a zero byte and the other members, in the order of this schema.'),
  text: z.string().optional().describe('The answer; absent where the owner left the texts out.'),
})

/** What is signed, beside the root over the answers: each member has a hash of its own in `hashes`. */
const claim = z.strictObject({
  metric: z.literal('visibility'),
  brand: z.string(),
  numerator: z.int().min(0).describe('Answers that mention the brand.'),
  denominator: z.int().min(0).describe('Answers.'),
  value: z.number().nullable().describe('Percent; null without answers.'),
})

export const proofSchema = z.strictObject({
  format: z.literal('sightline-proof-1'),
  createdAt: z.iso.datetime(),
  claim,
  window: z.strictObject({ from: z.iso.date(), to: z.iso.date() }),
  filters: z.record(z.string(), z.unknown()),
  statement: z.string().describe('The SQL that counted the claim.'),
  parameters: z.record(z.string(), z.unknown()).describe('The values that the statement binds.'),
  rules: z.strictObject({
    names: z.int().describe('Version of the rules that find names.'),
    brands: z.array(
      z.strictObject({
        id: z.string(),
        isOwn: z.boolean(),
        names: z.array(name),
        domains: z.array(z.string()),
      }),
    ),
  }),
  answers: z.array(answer),
  root: hash.describe('Root of the Merkle tree over the leaves, as in RFC 6962.'),
  hashes: z
    .record(z.string(), hash)
    .describe('SHA-256 of each other member, and of each parameter, as JSON with sorted keys.'),
  signature: z.strictObject({
    algorithm: z.literal('Ed25519'),
    publicKey: z.string().describe('32 bytes, base64url.'),
    value: z.string().describe('Over `hashes` and `root` as JSON with sorted keys, base64url.'),
  }),
})

export type Proof = z.infer<typeof proofSchema>
export type ProvenAnswer = z.infer<typeof answer>
/** A proof before its answers are hashed and its members are signed. */
export type Unsigned = Omit<Proof, 'format' | 'answers' | 'root' | 'hashes' | 'signature'> & {
  readonly answers: readonly (Omit<ProvenAnswer, 'textHash' | 'leaf' | 'text'> & {
    readonly text: string
  })[]
}
