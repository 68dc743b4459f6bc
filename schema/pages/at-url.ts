import type { Context } from '../kit/context.ts'
import { pageLoaders } from './loaders.ts'
import { pageType } from './pages.ts'

interface OfUrl {
  readonly projectId: string
  /** Normalised. */
  readonly url: string
}

/** The options of a field that leads from an object with a URL to the page of the own site there. */
export const pageAtUrl = (description: string) =>
  ({
    type: pageType,
    nullable: true,
    view: 'graph',
    description,
    resolve: ({ projectId, url }: OfUrl, _args: object, context: Context) =>
      pageLoaders(context).byUrl.load({ projectId, url }),
  }) as const
