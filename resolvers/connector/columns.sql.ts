import { average, type Ratio, share } from '../../core/metrics.ts'

/** The datasets and fields of the connector, and the expression that reads each field. */

export const datasets = ['visibility', 'sources', 'traffic', 'prompts'] as const
export type Dataset = (typeof datasets)[number]

export const fieldTypes = ['string', 'integer', 'number', 'boolean', 'date'] as const
export const fieldRoles = ['dimension', 'metric'] as const

/** A field as clients see it. */
export interface ConnectorField {
  readonly id: string
  readonly label: string
  /** Type of the values that are not null; `date` is a UTC day, `YYYY-MM-DD`. */
  readonly type: (typeof fieldTypes)[number]
  /** Rows are grouped by dimensions; metrics are counted over each group. */
  readonly role: (typeof fieldRoles)[number]
}

/** A field, and its expressions by their column name in a row. */
export interface Column extends ConnectorField {
  readonly sql: Readonly<Record<string, string>>
  /** Makes a ratio of two expressions, `part` and `whole` of the field. */
  readonly ratio?: (part: number, whole: number) => Ratio
}

type Type = ConnectorField['type']

function dimension(id: string, label: string, sql: string, type: Type = 'string'): Column {
  return { id, label, type, role: 'dimension', sql: { [id]: sql } }
}

function count(id: string, label: string, sql: string): Column {
  return { id, label, type: 'integer', role: 'metric', sql: { [id]: sql } }
}

function ratioOf(
  id: string,
  label: string,
  [part, whole]: readonly [part: string, whole: string],
  ratio: (part: number, whole: number) => Ratio,
): Column {
  const sql = { [`${id}Part`]: part, [`${id}Whole`]: whole }
  return { id, label, type: 'number', role: 'metric', sql, ratio }
}

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
    dimension('path', 'Path', 'path'),
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
    dimension(
      'createdAt',
      'Created on',
      `to_char(p."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
      'date',
    ),
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
}
