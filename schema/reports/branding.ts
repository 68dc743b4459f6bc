import { invalid } from '../../core/errors.ts'
import { defaultAccent, mostLogoBytes } from '../../core/reports/branding.ts'
import { setReportBranding } from '../../resolvers/reports/branding.ts'
import { keyedArgs } from '../kit/args.ts'
import { writeWorkspace } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { workspaceChange } from '../workspaces/mutation.ts'

builder.mutationField('setReportBranding', (t) =>
  t.field({
    type: workspaceChange,
    access: writeWorkspace,
    // Base64 makes 4 bytes of 3, and the request has other members.
    extensions: { largestBodyBytes: 2 * mostLogoBytes },
    view: 'graph',
    description:
      'Sets name, colour and logo of shared reports of a workspace. Needs a plan with white label.',
    problems: ['plan_upgrade_required'],
    args: {
      workspaceId: t.arg.id({ required: true, description: 'Id of the workspace.' }),
      name: t.arg.string({
        description: 'Name of the sender of the reports, 1 to 100 characters.',
      }),
      accent: t.arg.string({
        description: `Colour of headings and charts, such as the default ${defaultAccent}. A colour with too little contrast is darkened or lightened.`,
      }),
      logo: t.arg.string({
        description: `PNG file in base64, at most ${mostLogoBytes} bytes. Default: no logo.`,
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { name, accent, logo, ...args }, context) => {
      const workspaceId = String(args.workspaceId).toLowerCase()
      if (name == null && (accent != null || logo != null)) {
        throw invalid('name', 'is required with `accent` or `logo`')
      }
      const wanted = name == null ? null : { name, accent: accent ?? defaultAccent, logo }
      const { db } = context.services
      return {
        workspaceId,
        ...(await setReportBranding(db, actorOf(context), workspaceId, wanted)),
      }
    },
  }),
)
