// Sightline in Google Sheets: a custom function that reads a dataset of the connector.
//
// In a spreadsheet choose Extensions › Apps Script, paste this file, and add three script properties under
// Project Settings: SIGHTLINE_URL, SIGHTLINE_KEY (a key with the scope `read`) and SIGHTLINE_PROJECT (the id of a project).
// The service must be reachable from the internet by HTTPS.

/** Rows of one request, and rows that a cell may ask for: a custom function has 30 seconds. */
const PAGE_ROWS = 1000
const MOST_ROWS = 20000

/**
 * A dataset of Sightline, with the names of its columns in the first row.
 *
 * @param {string} dataset visibility, sources, traffic, prompts, issues or opportunities.
 * @param {string} fields Columns, separated by commas, or a range of cells. All of them by default.
 * @param {string} startDate First day, such as 2026-11-01 or a cell with a date. 30 days ago by default.
 * @param {string} endDate Last day. Today by default.
 * @return The rows, grouped by the columns that are no numbers.
 * @customfunction
 */
function SIGHTLINE(dataset, fields, startDate, endDate) {
  if (!dataset) throw new Error('Name a dataset, such as "visibility".')
  const query = { dataset, limit: PAGE_ROWS }
  const columns = columnsOf(fields)
  if (columns.length > 0) query.fields = columns
  if (startDate) query.startDate = dayOf(startDate)
  if (endDate) query.endDate = dayOf(endDate)
  const rows = []
  for (let offset = 0; ; ) {
    const page = read({ ...query, offset })
    if (offset === 0) rows.push(page.schema.map(({ label }) => label))
    for (const row of page.rows)
      rows.push(row.map((cell, at) => cellOf(cell, page.schema[at].type)))
    if (!page.pagination.hasMore) return rows
    offset = page.pagination.nextOffset
    if (offset >= MOST_ROWS)
      throw new Error(`More than ${MOST_ROWS} rows: ask for fewer columns or days.`)
  }
}

/** Names of columns in a text, or in the cells of a range. */
function columnsOf(fields) {
  return [fields]
    .flat(2)
    .flatMap((text) => String(text ?? '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** YYYY-MM-DD of a text or of a cell with a date. */
function dayOf(value) {
  if (!(value instanceof Date)) return String(value).trim()
  return Utilities.formatDate(
    value,
    SpreadsheetApp.getActive().getSpreadsheetTimeZone(),
    'yyyy-MM-dd',
  )
}

/** A value as a cell: days as dates, nothing as an empty cell. */
function cellOf(value, type) {
  if (value === null) return ''
  if (type !== 'date') return value
  const [year, month, day] = value.split('-').map(Number)
  return new Date(year, month - 1, day)
}

function read(query) {
  const properties = PropertiesService.getScriptProperties()
  const [url, key, project] = ['SIGHTLINE_URL', 'SIGHTLINE_KEY', 'SIGHTLINE_PROJECT'].map(
    (name) => {
      const value = properties.getProperty(name)
      if (!value) throw new Error(`Add ${name} to the script properties.`)
      return value.trim()
    },
  )
  const response = UrlFetchApp.fetch(
    `${url.replace(/\/+$/, '')}/api/v1/projects/${project}/connector/data`,
    {
      method: 'post',
      contentType: 'application/json',
      headers: { Authorization: `Bearer ${key}` },
      payload: JSON.stringify(query),
      muteHttpExceptions: true,
    },
  )
  const text = response.getContentText()
  if (response.getResponseCode() === 200) return JSON.parse(text)
  throw new Error(
    messageOf(text) ?? `Sightline answered with status ${response.getResponseCode()}.`,
  )
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
