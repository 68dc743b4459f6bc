import { invalid } from '../../core/errors.ts'
import { citedUrl } from '../../core/sites/cited-url.ts'
import { domainOf, hostOfText } from '../../core/sites/urls.ts'
import type { FilterArgs } from '../../resolvers/shared/filters.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { domainsOf, urlsByName } from '../../resolvers/sources/objects.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { flatArgs, graphArgs, withInputNames } from '../kit/inputs.ts'
import { sourceDomain } from './sources.ts'
import { sourceUrl } from './urls.ts'

/** One cited domain or URL by its name, without a list before it. */

const scoped = { ...windowArgs, ...filterArgs }

const names = builder.args((t) => ({
  domain: t.string({
    required: true,
    description: 'The domain, such as `wikipedia.org`, or a host of the domain, in any case.',
  }),
  url: t.string({
    required: true,
    description: 'An http or https URL, normalised like the URLs of citations.',
  }),
}))

const argsWith = <Name extends keyof typeof names>(name: Name) =>
  ({ ...graphArgs(scoped), [name]: names[name] }) as Pick<typeof names, Name>

const selected = (given: object) => flatArgs(scoped, given) as FilterArgs

/** The same object for every spelling of its name. */
function normalUrl(url: string): string {
  const normal = citedUrl(url.trim())
  if (normal === null) throw invalid('url', 'must be an http or https URL', url)
  return normal
}

const shared = { nullable: true, view: 'graph', access: readOfProject } as const

builder.objectFields('Project', (t) => ({
  sourceDomain: t.field({
    ...shared,
    type: sourceDomain,
    description: 'One domain that answers cite; null when no answer in the window cites it.',
    args: argsWith('domain'),
    resolve: (scope: ProjectScope, { domain, ...given }, context) =>
      withInputNames(
        async () => {
          const asked = { scope, domain: domainOf(hostOfText(domain)) }
          return together(context, 'sources.domain', asked, selected(given), domainsOf)
        },
        scoped,
        given,
      ),
  }),
  sourceUrl: t.field({
    ...shared,
    type: sourceUrl,
    description: 'One URL that answers cite; null when no answer in the window cites it.',
    args: argsWith('url'),
    resolve: (scope: ProjectScope, { url, ...given }, context) =>
      withInputNames(
        async () => {
          const asked = { scope, url: normalUrl(url) }
          return together(context, 'sources.url', asked, selected(given), urlsByName)
        },
        scoped,
        given,
      ),
  }),
}))
