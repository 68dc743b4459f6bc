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
  mentions: z
    .array(z.string())
    .describe('Ids of the tracked brands that the answer mentions, sorted.'),
  position: z
    .int()
    .min(1)
    .nullable()
    .describe('Position of the own brand among them; null where the answer does not mention it.'),
  textHash: hash.describe('SHA-256 of the text in UTF-8.'),
  leaf: hash.describe('SHA-256 of a zero byte and the other members, in the order of this schema.'),
  text: z.string().optional().describe('The answer; absent where the owner left the texts out.'),
})

export const claimedMetrics = {
  visibility: 'Answers that mention the brand, of all answers, in percent.',
  share_of_voice:
    'Answers that mention the brand, of the mentions of all tracked brands, of which an answer has at most one for each brand, in percent.',
  average_position: 'Sum of the positions of the brand, divided by the answers that mention it.',
} as const

const claim = z.strictObject({
  metric: z.enum(['visibility', 'share_of_voice', 'average_position']),
  numerator: z.int().min(0),
  denominator: z.int().min(0),
  value: z.number().nullable().describe('Percent or position; null where the denominator is 0.'),
})

export const proofSchema = z.strictObject({
  format: z.literal('sightline-proof-2'),
  createdAt: z.iso.datetime(),
  brand: z.string().describe('Name of the own brand.'),
  claims: z.array(claim).describe('The numbers that the answers give.'),
  window: z.strictObject({ from: z.iso.date(), to: z.iso.date() }),
  filters: z.record(z.string(), z.unknown()),
  statement: z.string().describe('The SQL that counted the claims.'),
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
export type Claim = z.infer<typeof claim>
export type ProvenAnswer = z.infer<typeof answer>
/** A proof before its answers are hashed and its members are signed. */
export type Unsigned = Omit<Proof, 'format' | 'answers' | 'root' | 'hashes' | 'signature'> & {
  readonly answers: readonly (Omit<ProvenAnswer, 'textHash' | 'leaf' | 'text'> & {
    readonly text: string
  })[]
}
