// Sightline in Looker Studio: a community connector that reads the datasets of the connector.
//
// At script.google.com make a project, paste this file and appsscript.json, and choose Deploy › Test deployments. In Looker
// Studio, enter a key with the scope `read`, then the address of the service, the id of a project, and a dataset. The service
// must be reachable from the internet by HTTPS.

const PAGE_ROWS = 1000
const MOST_ROWS = 100000
const DATASETS = ['visibility', 'sources', 'traffic', 'prompts', 'issues', 'opportunities']
/** Counts of distinct things, or of things with several units: the sum of two rows is not the value of both. */
const NOT_ADDED_UP = { sources: ['responses'], issues: ['affectedCount', 'reach'] }

function getAuthType() {
  return { type: 'KEY', helpUrl: 'https://developers.google.com/looker-studio/connector/auth' }
}

function setCredentials({ key }) {
  if (!/^sgl_\S+$/.test(key ?? '')) return { errorCode: 'INVALID_CREDENTIALS' }
  PropertiesService.getUserProperties().setProperty('SIGHTLINE_KEY', key)
  return { errorCode: 'NONE' }
}

function isAuthValid() {
  return Boolean(PropertiesService.getUserProperties().getProperty('SIGHTLINE_KEY'))
}

function resetAuth() {
  PropertiesService.getUserProperties().deleteProperty('SIGHTLINE_KEY')
}

function isAdminUser() {
  return false
}

function getConfig() {
  return {
    configParams: [
      {
        name: 'url',
        displayName: 'Address of Sightline',
        type: 'TEXTINPUT',
        placeholder: 'https://sightline.example.com',
      },
      { name: 'project', displayName: 'Id of the project', type: 'TEXTINPUT' },
      {
        name: 'dataset',
        displayName: 'Dataset',
        type: 'SELECT_SINGLE',
        options: DATASETS.map((value) => ({ label: value, value })),
      },
    ],
    dateRangeRequired: true,
  }
}

function getSchema({ configParams }) {
  const { fields } = read(configParams, 'schema', { dataset: configParams.dataset })
  return { schema: fields.map((field) => fieldOf(field, configParams.dataset)) }
}

function getData({ configParams, fields, dateRange }) {
  const query = {
    dataset: configParams.dataset,
    fields: fields.map(({ name }) => name),
    limit: PAGE_ROWS,
    ...dateRange,
  }
  const rows = []
  for (let offset = 0; ; ) {
    const page = read(configParams, 'data', { ...query, offset })
    for (const row of page.rows) {
      rows.push({ values: row.map((cell, at) => cellOf(cell, page.schema[at].type)) })
    }
    if (!page.pagination.hasMore) {
      return { schema: page.schema.map((field) => fieldOf(field, configParams.dataset)), rows }
    }
    offset = page.pagination.nextOffset
    if (offset >= MOST_ROWS)
      fail(`More than ${MOST_ROWS} rows: use fewer dimensions, or a shorter date range.`)
  }
}

/** A field as Looker Studio describes it. Ratios are never added up. */
function fieldOf({ id, label, type, role }, dataset) {
  const dataType = { integer: 'NUMBER', number: 'NUMBER', boolean: 'BOOLEAN' }[type] ?? 'STRING'
  const semantics = { conceptType: role === 'metric' ? 'METRIC' : 'DIMENSION' }
  if (type === 'date') semantics.semanticType = 'YEAR_MONTH_DAY'
  if (role === 'metric') {
    semantics.isReaggregatable = type === 'integer' && !(NOT_ADDED_UP[dataset] ?? []).includes(id)
  }
  const field = { name: id, label, dataType, semantics }
  return semantics.isReaggregatable ? { ...field, defaultAggregationType: 'SUM' } : field
}

/** A value as Looker Studio reads it: 20261121 for a day. */
function cellOf(value, type) {
  return type === 'date' && value !== null ? value.replaceAll('-', '') : value
}

function read({ url, project }, what, query) {
  const key = PropertiesService.getUserProperties().getProperty('SIGHTLINE_KEY')
  const path = `/api/v1/projects/${encodeURIComponent(project ?? '')}/connector/${what}`
  const response = UrlFetchApp.fetch((url ?? '').replace(/\/+$/, '') + path, {
    method: 'post',
    contentType: 'application/json',
    headers: { Authorization: `Bearer ${key}` },
    payload: JSON.stringify(query),
    muteHttpExceptions: true,
  })
  const text = response.getContentText()
  if (response.getResponseCode() === 200) return JSON.parse(text)
  return fail(messageOf(text) ?? `Sightline answered with status ${response.getResponseCode()}.`)
}

/** What a problem says, and what to do about it. Null where the answer is no problem. */
function messageOf(text) {
  try {
    const { message, howToFix } = JSON.parse(text)
    return message ? [message, howToFix].filter(Boolean).join(' ') : null
  } catch {
    return null
  }
}

/** Shows a message to the person in Looker Studio. */
function fail(text) {
  DataStudioApp.createCommunityConnector().newUserError().setText(text).throwException()
}
