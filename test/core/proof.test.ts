import { expect, test } from 'vitest'
import { type Proof, proofSchema, type Unsigned } from '../../core/proof/format.ts'
import { merkleRoot } from '../../core/proof/merkle.ts'
import { proofKey, signProof } from '../../core/proof/sign.ts'
import { verdictText, verifyProof } from '../../core/proof/verify.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'

const words = await foreignWords()
const key = proofKey('a secret of an instance')
const id = (of: number) => `00000000-0000-4000-8000-${String(of).padStart(12, '0')}`
const texts = ['Acme is great.', 'Rival is best.', 'Rival, then Acme.', 'Neither.', 'Try Acme.']

const unsigned: Unsigned = {
  createdAt: '2025-06-01T00:00:00.000Z',
  brand: 'Acme',
  claims: [
    { metric: 'visibility', numerator: 3, denominator: 5, value: 60 },
    { metric: 'average_position', numerator: 3, denominator: 3, value: 1 },
  ],
  window: { from: '2025-05-01', to: '2025-05-31' },
  filters: {},
  statement: 'SELECT count() FROM answers WHERE day BETWEEN {from:Date} AND {to:Date}',
  parameters: { from: '2025-05-01', to: '2025-05-31' },
  rules: {
    names: rulesVersion.names,
    brands: [
      {
        id: id(0),
        isOwn: true,
        names: [{ text: 'Acme', caseSensitive: false, byLanguage: false, excludedPhrases: [] }],
        domains: [],
      },
    ],
  },
  answers: texts.map((text, at) => ({
    id: id(at + 1),
    promptId: id(99),
    platform: 'chatgpt',
    day: '2025-05-02',
    mentions: text.includes('Acme') ? [id(0)] : [],
    position: text.includes('Acme') ? 1 : null,
    text,
  })),
}

const recounted =
  'Recounted from 5 answers, equal:\nVisibility: 3 of 5, 60 %\nAverage position: 3 of 3, 1'
const full = signProof(unsigned, key, true)
const bare = signProof(unsigned, key, false)

/** What differs in a file that somebody changed: a copy by way of JSON, as it is read. */
function differencesOf(proof: Proof, change: (copy: Proof) => void) {
  const copy = proofSchema.parse(JSON.parse(JSON.stringify(proof)))
  change(copy)
  return verifyProof(copy, words).differences
}

const second = ({ answers }: Proof) => answers[1] as Proof['answers'][number]

test('a proof is recounted with its texts, and without them', () => {
  expect(verdictText(verifyProof(full, words))).toBe(recounted)
  expect(bare.answers.every((answer) => !('text' in answer))).toBe(true)
  expect(verdictText(verifyProof(bare, words))).toBe(
    `${recounted}\n5 texts were left out: their hashes and counts were checked.`,
  )
  expect(bare.root).toBe(full.root)
})

test('a changed text is named', () => {
  const change = (copy: Proof) => {
    second(copy).text = 'Rival is fine.'
  }
  expect(differencesOf(full, change)).toEqual([
    `Answer ${id(2)}: its text does not match its hash.`,
  ])
})

test('a changed hash is named, with and without texts', () => {
  const named = `Answer ${id(2)}: its entry or the hash of its text was changed.`
  const change = (copy: Proof) => {
    second(copy).textHash = 'a'.repeat(64)
  }
  expect(differencesOf(bare, change)).toEqual([named])
  expect(differencesOf(full, change)).toContain(named)
})

test('a changed parameter is named', () => {
  const change = (copy: Proof) => {
    copy.parameters.from = '2025-05-02'
  }
  expect(differencesOf(full, change)).toEqual(['`parameters.from` is not what was signed.'])
})

test('a changed signature, key or list of hashes is named', () => {
  const named = expect.stringContaining('The signature is not one of the key')
  const changes: ((copy: Proof) => void)[] = [
    (copy) => {
      copy.signature.value = `A${copy.signature.value.slice(1)}`
    },
    (copy) => {
      copy.signature.publicKey = 'AAAA'
    },
    (copy) => {
      copy.signature.publicKey = signProof(unsigned, proofKey('another'), false).signature.publicKey
    },
    (copy) => {
      copy.hashes.filters = 'b'.repeat(64)
    },
  ]
  for (const change of changes) expect(differencesOf(full, change)).toContainEqual(named)
})

test('a claim that the answers do not give is named, even if it is signed', () => {
  const claim = { metric: 'visibility', numerator: 4, denominator: 5, value: 80 } as const
  const claimed = signProof({ ...unsigned, claims: [claim] }, key, false)
  expect(verifyProof(claimed, words).differences).toEqual([
    'Visibility: the proof says 4 of 5; recounted: 3 of 5.',
  ])
  const answers = unsigned.answers.map((answer) => ({ ...answer, mentions: [id(0)], position: 1 }))
  const flattered = { ...unsigned, answers, claims: [{ ...claim, numerator: 5, value: 100 }] }
  expect(verifyProof(signProof(flattered, key, true), words).differences).toContain(
    `Answer ${id(2)}: the proof says ${id(0)} and position 1, and its text no brand.`,
  )
})

test('an answer that is left out, or listed twice, is found', () => {
  const rootDiffers = 'The list of answers does not give the root that was signed.'
  expect(differencesOf(full, (copy) => copy.answers.pop())).toContain(rootDiffers)
  expect(differencesOf(full, (copy) => copy.answers.push(second(copy)))).toContain(
    `Answer ${id(2)} is listed twice.`,
  )
})

test('roots are those of RFC 6962', () => {
  const leaf = '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'
  expect(merkleRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(merkleRoot([leaf])).toBe(leaf)
  // The first two and three leaves of the test vectors of Certificate Transparency: "" and 0x00, then 0x10.
  const [zero, ten] = [
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7',
  ]
  expect(merkleRoot([leaf, zero])).toBe(
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  )
  expect(merkleRoot([leaf, zero, ten])).toBe(
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  )
})
