import { type Claim, claimedMetrics, type Proof } from '../core/proof/format.ts'
import { proofKey, withoutTexts } from '../core/proof/sign.ts'
import { type ProofArgs, proven } from '../resolvers/proof/proof.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import { filterArgs, windowArgs } from './kit/args.ts'
import { readOfProject } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { flatArgs, graphArgs, withInputNames } from './kit/inputs.ts'
import { dateRangeBlock } from './kit/report-fields.ts'

const provenMetric = builder.enumType('ProvenMetric', {
  description: 'A number of a proof.',
  values: Object.fromEntries(
    Object.entries(claimedMetrics).map(([name, description]) => [name, { description }]),
  ),
})

const provenClaim = builder.objectRef<Claim>('ProofClaim').implement({
  description: 'A number that a proof gives, with the counts that it follows from.',
  fields: (t) => ({
    metric: t.field({
      type: provenMetric,
      description: 'The number.',
      resolve: ({ metric }) => metric,
    }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'Percent, or a position; null where the denominator is 0.',
    }),
    numerator: t.exposeInt('numerator', { description: 'What the metric counts.' }),
    denominator: t.exposeInt('denominator', { description: 'What the metric counts it of.' }),
  }),
})

const proofType = builder.objectRef<Proof>('Proof').implement({
  description:
    'The visibility, share of voice and average position of the brand as a signed file that anyone counts again without this service, by `sightline verify`.',
  fields: (t) => ({
    file: t.string({
      description: 'The file: JSON of the format `sightline-proof-2`.',
      resolve: (proof) => JSON.stringify(proof),
    }),
    claims: t.field({
      type: [provenClaim],
      description: 'The numbers that the answers give.',
      resolve: ({ claims }) => claims,
    }),
    root: t.string({
      description: 'Root of the Merkle tree over the answers, hexadecimal.',
      resolve: ({ root }) => root,
    }),
    publicKey: t.string({
      description: 'Public Ed25519 key of this service, base64url: `sightline verify --key`.',
      resolve: ({ signature }) => signature.publicKey,
    }),
    dateRange: t.field({
      type: dateRangeBlock,
      description: 'Days of the answers.',
      resolve: ({ window }) => window,
    }),
  }),
})

const args = { ...windowArgs, ...filterArgs }

builder.objectField('Project', 'proof', (t) =>
  t.field({
    type: proofType,
    nullable: true,
    description:
      'Proof of the visibility, share of voice and average position of the brand, of at most 5,000 answers. Null while the answers were counted by other names than those of the present: recount first.',
    view: 'graph',
    access: readOfProject,
    args: {
      ...graphArgs(args),
      texts: t.arg.boolean({
        defaultValue: true,
        description:
          'Whether the file has the texts of the answers. Without them their hashes and counts are checked.',
      }),
    },
    resolve: (scope: ProjectScope, { texts, ...given }, { services }) =>
      withInputNames(
        async () => {
          const key = proofKey(services.signingSecrets[0])
          const flat = flatArgs(args, given) as ProofArgs
          const proof = await proven(scope, flat, key)
          return proof && texts === false ? withoutTexts(proof) : proof
        },
        args,
        given,
      ),
  }),
)
