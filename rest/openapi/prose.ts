import type { Json } from './schemas.ts'

/** The overview of the API. */
export const info: Json = {
  title: 'Sightline',
  version: '1.0.0',
  summary: 'How AI assistants talk about a brand.',
  description: `Sightline measures how AI assistants name a brand: how often, at which rank, in what tone. It lists the pages that answers cite.

**Keys.** Every request carries \`Authorization: Bearer sgl_…\`, a key from \`sightline key create\`. Each operation
names the scope (\`read\`, \`write\`) or capability (\`prompt:draft\`) that it needs. The scope \`admin\` includes all.

**Windows.** \`days\` are UTC calendar days that end today; \`from\` and \`to\` are inclusive and exclude \`days\`.
A \`days\` or \`limit\` over the maximum is clamped to the maximum. No other value is corrected.

**Pages.** Pass \`nextOffset\` as \`offset\`, or \`nextCursor\` as \`cursor\`, until \`hasMore\` is false.

**Errors.** A response that is neither 2xx nor 304 is a problem (RFC 9457). Its \`code\` never changes.
[All codes are explained](/docs/errors).

**Writes.** With an \`Idempotency-Key\`, repetitions of a write within 24 hours change nothing and return the first response.

**Changes.** Operations, parameters, keys and codes may be added. Changes and removals are announced one year before.`,
  contact: { name: 'Whoever runs this service' },
  license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
}

interface Area {
  readonly name: string
  readonly description: string
  /** Matches the part of a path that follows the project. */
  readonly paths: RegExp
}

/** Areas that group operations. An operation belongs to the first area that matches its path. */
export const areas: readonly Area[] = [
  {
    name: 'Projects',
    description: 'Tracked brands, with their topics, locations, platforms and profile.',
    paths: /^$|^(topics|locations|platforms|brand-profile|domain-authority|usage)$/,
  },
  {
    name: 'Visibility',
    description: 'Whether answers name the brand, how prominently, and why that changed.',
    paths: /^(visibility|topics|investigate)\b/,
  },
  {
    name: 'Competition',
    description: 'Competitors that answers name, and the share of each brand.',
    paths: /^(share-of-voice|competitors)\b/,
  },
  {
    name: 'Sentiment',
    description: 'The tone in which answers speak of the brand.',
    paths: /^sentiment\b/,
  },
  {
    name: 'Answers',
    description: 'Answers of AI assistants, in full text.',
    paths: /^answers\b|^prompts\/.*\/answers$/,
  },
  {
    name: 'Prompts',
    description: 'Prompts that AI assistants are asked.',
    paths: /^prompts\b/,
  },
  {
    name: 'Query fanout',
    description: 'Searches of AI assistants before they answered.',
    paths: /^query-fanout\b/,
  },
  {
    name: 'Ads',
    description: 'Advertisers whose ads appear next to the answers.',
    paths: /^ads\b/,
  },
  {
    name: 'Shopping',
    description: 'Products that the answers show.',
    paths: /^shopping\b/,
  },
  {
    name: 'Sources',
    description: 'Sites and pages that the answers cite.',
    paths: /^sources\b/,
  },
  {
    name: 'Ads and shopping',
    description: 'Ads and products that appear in the answers.',
    paths: /^(ads|shopping)\b/,
  },
  {
    name: 'Traffic',
    description: 'AI crawlers that read the site.',
    paths: /^traffic\b/,
  },
  {
    name: 'Web analytics',
    description: 'Sessions on the site, by AI assistant and other sources.',
    paths: /^ga4\b/,
  },
  {
    name: 'Search Console',
    description: 'Clicks and impressions of the site in search results.',
    paths: /^gsc\b/,
  },
  {
    name: 'Site',
    description: 'Pages of the site, with audits and issues.',
    paths: /^(pages|audits|issues|sitemap)\b/,
  },
  {
    name: 'Work items',
    description: 'Opportunities, and content pieces.',
    paths: /^(opportunities|articles)\b/,
  },
  {
    name: 'Reports',
    description: 'Reports to share, and data for external dashboards.',
    paths: /^(reports|connector)\b/,
  },
]

/** The area of an operation, by its path. */
export function areaOf(path: string): string {
  const inProject = path.replace(/^\/api\/\w+\/projects(\/\{projectId\})?\/?/, '')
  const area = areas.find(({ paths }) => paths.test(inProject))
  if (!area) throw new Error(`rest/openapi/prose.ts: no area knows ${path}`)
  return area.name
}
