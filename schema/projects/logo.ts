import { mostLogoBytes } from '../../core/reports/limits.ts'
import { logoUrlOf, removeLogo, setLogo } from '../../resolvers/projects/logo.ts'
import { listedOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { projectMutation } from '../kit/project-mutation.ts'
import { projectType } from './projects.ts'

builder.objectField(projectType, 'logoUrl', (t) =>
  t.string({
    nullable: true,
    view: 'graph',
    access: listedOfProject,
    description:
      'Address of the logo of the own brand, for everyone who has it. Null without a logo.',
    resolve: ({ project }, _args, { services: { baseUrl, signingSecrets } }) =>
      logoUrlOf(project, { baseUrl, secret: signingSecrets[0] }),
  }),
)

projectMutation('setLogo', {
  description: 'Sets the logo of the own brand, which shared reports show.',
  // Base64 makes 4 bytes of 3, and the request has other members.
  largestBodyBytes: 2 * mostLogoBytes,
  args: builder.args((t) => ({
    image: t.string({
      required: true,
      description: `PNG, JPEG or WebP file in base64, at most ${mostLogoBytes / 1000} kB.`,
    }),
  })),
  change: ({ db, actor, projectId }, { image }) => setLogo(db, actor, projectId, image),
})

projectMutation('removeLogo', {
  description: 'Removes the logo of the own brand.',
  args: {},
  change: ({ db, actor, projectId }) => removeLogo(db, actor, projectId),
})
