import type { Json } from './schemas.ts'

/** What the document says of the API as a whole. */
export const info: Json = {
  title: 'Sightline',
  version: '1.0.0',
  summary: 'How AI assistants talk about a brand.',
  description: `Whether the answers of AI assistants name a brand, ahead of whom, in what tone, and which pages they cite.

**Keys.** Every request carries \`Authorization: Bearer sgl_…\`, a key made by \`sightline key create\`. Each operation
names the scope (\`read\`, \`write\`) or capability (\`prompt:draft\`) that it needs; \`admin\` has them all.

**Windows.** \`days\` are UTC calendar days that end today; \`from\` and \`to\` are inclusive, and exclude \`days\`. An
over-long \`days\` and an over-long \`limit\` become the largest that is allowed; nothing else is corrected.

**Pages.** Pass \`nextOffset\` as \`offset\`, or \`nextCursor\` as \`cursor\`, until \`hasMore\` is false.

**Errors.** An answer that is neither 2xx nor 304 is a problem (RFC 9457) with a \`code\` that never changes;
[each is explained](/docs/errors).

**Writes.** With an \`Idempotency-Key\` a write is done once, however often it is sent within 24 hours.

**Changes.** What stands here stays: operations, parameters, keys and codes may be added, none is removed or
changed without a year's notice.`,
  contact: { name: 'Whoever runs this service' },
  license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
}

interface Area {
  readonly name: string
  readonly description: string
  /** Of its operations: what follows the project in their path. */
  readonly paths: RegExp
}

/** What operations are sorted under: the first area that knows the path of an operation. */
export const areas: readonly Area[] = [
  {
    name: 'Projects',
    description: 'Brands that are tracked, and what is set up for them.',
    paths: /^$|^(topics|locations|platforms|brand-profile|domain-authority|usage)$/,
  },
  {
    name: 'Visibility',
    description: 'Whether answers name the brand, how prominently, and why that changed.',
    paths: /^(visibility|topics|investigate)\b/,
  },
  {
    name: 'Competition',
    description: 'Who else is named, and whose share is how large.',
    paths: /^(share-of-voice|competitors)\b/,
  },
  {
    name: 'Sentiment',
    description: 'In what tone answers speak.',
    paths: /^sentiment\b/,
  },
  {
    name: 'Answers',
    description: 'What AI assistants answered, word for word.',
    paths: /^answers\b|^prompts\/.*\/answers$/,
  },
  {
    name: 'Prompts',
    description: 'What they are asked.',
    paths: /^prompts\b/,
  },
  {
    name: 'Query fanout',
    description: 'What they searched for before they answered.',
    paths: /^query-fanout\b/,
  },
  {
    name: 'Ads',
    description: 'Who advertises beside the answers.',
    paths: /^ads\b/,
  },
  {
    name: 'Shopping',
    description: 'Which products the answers show.',
    paths: /^shopping\b/,
  },
  {
    name: 'Sources',
    description: 'Which sites and pages the answers cite.',
    paths: /^sources\b/,
  },
  {
    name: 'Ads and shopping',
    description: 'Which ads stand in the answers, and which products they name.',
    paths: /^(ads|shopping)\b/,
  },
  {
    name: 'Traffic',
    description: 'Which AI crawlers read the site.',
    paths: /^traffic\b/,
  },
  {
    name: 'Web analytics',
    description: 'Who visits the site, and from which assistants.',
    paths: /^ga4\b/,
  },
  {
    name: 'Search Console',
    description: 'How the site stands in search.',
    paths: /^gsc\b/,
  },
  {
    name: 'Site',
    description: 'Monitored pages, audits of them, and what is wrong with them.',
    paths: /^(pages|audits|issues|sitemap)\b/,
  },
  {
    name: 'Work items',
    description: 'What is worth doing, and what was written.',
    paths: /^(opportunities|articles)\b/,
  },
  {
    name: 'Reports',
    description: 'Reports to be shared, and data for dashboards of others.',
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
