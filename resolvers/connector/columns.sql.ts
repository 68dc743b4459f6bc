import { average, share } from '../../core/metrics.ts'
import { pathKey } from '../shared/spellings/paths.sql.ts'
import { type Column, count, day, dimension, ratioOf } from './column.sql.ts'
import { issueColumns, opportunityColumns } from './work-items.sql.ts'

/** The datasets and fields of the connector, and the expression that reads each field. */

export const datasets = [
  'visibility',
  'sources',
  'traffic',
  'prompts',
  'issues',
  'opportunities',
] as const
export type Dataset = (typeof datasets)[number]

const date = dimension('date', 'Date', 'toString(day)', 'date')
const platform = dimension('platform', 'AI platform', 'platform')

export const columns: Readonly<Record<Dataset, readonly Column[]>> = {
  visibility: [
    date,
    platform,
    dimension('promptId', 'Prompt ID', 'toString(prompt_id)'),
    // The catalog holds the wording: `connector.ts` replaces the id.
    dimension('prompt', 'Prompt', 'toString(prompt_id)'),
    count('responses', 'Responses', 'sum(answered)'),
    count('responsesWithBrand', 'Responses with brand', 'sum(naming)'),
    count('mentions', 'Mentions', 'sum(times)'),
    ratioOf('visibilityScore', 'Visibility score', ['sum(naming)', 'sum(answered)'], share),
  ],
  sources: [
    date,
    platform,
    dimension('domain', 'Domain', 'domain'),
    dimension('url', 'URL', 'url'),
    count('citations', 'Citations', 'count()'),
    count('responses', 'Responses that cite', 'uniqExact(answer_id)'),
  ],
  traffic: [
    date,
    platform,
    dimension('botName', 'Crawler', 'bot_name'),
    dimension('botVendor', 'Crawler vendor', 'bot_vendor'),
    dimension('botCategory', 'Crawler category', 'bot_category'),
    dimension('host', 'Host', 'host'),
    dimension('path', 'Path', pathKey('path')),
    count('visits', 'Visits', 'count()'),
  ],
  prompts: [
    dimension('promptId', 'Prompt ID', 'p.id::text'),
    dimension('text', 'Prompt', 'p.text'),
    dimension('topic', 'Topic', 'topic.name'),
    dimension('intentCategory', 'Intent', 'p."intentCategory"::text'),
    dimension('isBranded', 'Branded', 'p."isBranded"', 'boolean'),
    dimension('isTracked', 'Tracked', 'p."isTracked"', 'boolean'),
    dimension('currentRevision', 'Revision', 'p."currentRevision"', 'integer'),
    day('createdAt', 'Created on', 'p."createdAt"'),
    count('prompts', 'Prompts', 'count(*)::int'),
    count(
      'keywordSearchVolume',
      'Keyword search volume',
      'sum(p."keywordSearchVolume")::double precision',
    ),
    ratioOf(
      'keywordDifficulty',
      'Keyword difficulty',
      [
        'coalesce(sum(p."keywordDifficulty"), 0)::double precision',
        'count(p."keywordDifficulty")::int',
      ],
      average,
    ),
  ],
  issues: issueColumns,
  opportunities: opportunityColumns,
}
