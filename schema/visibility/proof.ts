import type { Proof } from '../../core/proof/format.ts'
import { proofKey, withoutTexts } from '../../core/proof/sign.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { VisibilityArgs } from '../../resolvers/visibility/counts.ts'
import { provenVisibility } from '../../resolvers/visibility/proof.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { flatArgs, graphArgs, withInputNames } from '../kit/inputs.ts'
import { dateRangeBlock } from '../kit/report-fields.ts'

const proofType = builder.objectRef<Proof>('VisibilityProof').implement({
  description:
    'The visibility of the brand as a signed file that anyone counts again without this service, by `sightline verify`.',
  fields: (t) => ({
    file: t.string({
      description: 'The file: JSON of the format `sightline-proof-1`.',
      resolve: (proof) => JSON.stringify(proof),
    }),
    value: t.float({
      nullable: true,
      description: 'Percent of the answers that mention the brand; null without answers.',
      resolve: ({ claim }) => claim.value,
    }),
    numerator: t.int({
      description: 'Answers that mention the brand.',
      resolve: ({ claim }) => claim.numerator,
    }),
    denominator: t.int({ description: 'Answers.', resolve: ({ claim }) => claim.denominator }),
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

builder.objectField('Project', 'visibilityProof', (t) =>
  t.field({
    type: proofType,
    nullable: true,
    description:
      'Proof of the visibility of the brand, of at most 5,000 answers. Null while the answers were counted by other names than those of the present: recount first.',
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
    resolve: (
      scope: ProjectScope,
      { texts, ...given }: { readonly texts?: boolean | null },
      { services }: Context,
    ) =>
      withInputNames(
        async () => {
          const key = proofKey(services.signingSecrets[0])
          const flat = flatArgs(args, given) as VisibilityArgs
          const proof = await provenVisibility(scope, flat, key)
          return proof && texts === false ? withoutTexts(proof) : proof
        },
        args,
        given,
      ),
  } as never),
)
