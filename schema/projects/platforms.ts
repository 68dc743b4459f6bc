import type { PlatformSummary } from '../../resolvers/projects/projects.ts'
import { builder } from '../kit/builder.ts'

export const platformType = builder.objectRef<PlatformSummary>('Platform').implement({
  description: 'An AI platform: an assistant that answers prompts.',
  fields: (t) => ({
    slug: t.exposeString('id', {
      view: 'graph',
      description:
        'Short name of the AI platform, such as `chatgpt`: the same in every project, and what filters take.',
    }),
    id: t.exposeID('id', {
      view: 'rest',
      json: { type: 'string' },
      description: 'Id of the AI platform, such as `chatgpt`.',
    }),
    displayName: t.exposeString('displayName', {
      description: 'Display name of the AI platform, such as `ChatGPT`.',
    }),
    aliases: t.stringList({
      description: 'Other spellings of the AI platform, which filters accept too.',
      resolve: (platform) => [...platform.aliases],
    }),
    models: t.stringList({
      description: "Raw model ids seen in the project's answers.",
      resolve: (platform) => [...platform.models],
    }),
  }),
})
