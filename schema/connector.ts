import { z } from 'zod'
import { wholeNumber } from '../core/check.ts'
import { yearWindow } from '../core/window.ts'
import type { ConnectorField, fieldRoles, fieldTypes } from '../resolvers/connector/column.sql.ts'
import { datasets } from '../resolvers/connector/columns.sql.ts'
import {
  type ConnectorData,
  type ConnectorRow,
  connectorData,
  connectorSchema,
} from '../resolvers/connector/connector.ts'
import { inGraph, pageArgs } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { listOf } from './kit/lists/connection.ts'
import { report } from './kit/report.ts'
import { reportFields } from './kit/report-fields.ts'

const dataset = builder.enumType('ConnectorDataset', {
  description: 'A table that a connector can read.',
  values: {
    visibility: { description: 'Answers, and whether they name the brand.' },
    sources: { description: 'Citations in answers.' },
    traffic: { description: 'Hits of AI crawlers on the site.' },
    prompts: { description: 'Current prompts, regardless of the dates.' },
    issues: {
      description: 'Issues that audits found, open and resolved, regardless of the dates.',
    },
    opportunities: { description: 'Opportunities of every status, regardless of the dates.' },
  } satisfies Record<(typeof datasets)[number], object>,
})

const fieldType = builder.enumType('ConnectorFieldType', {
  description: 'Type of the values of a field; every field may also be null.',
  values: {
    string: { description: 'Text.' },
    integer: { description: 'A whole number.' },
    number: { description: 'A number with at most two decimals.' },
    boolean: { description: 'True or false.' },
    date: { description: 'A UTC day, `YYYY-MM-DD`.' },
  } satisfies Record<(typeof fieldTypes)[number], object>,
})

const fieldRole = builder.enumType('ConnectorFieldRole', {
  description: 'Role of a field in the rows of a table.',
  values: {
    dimension: { description: 'Rows are grouped by the field.' },
    metric: { description: 'The field is computed over each group of rows.' },
  } satisfies Record<(typeof fieldRoles)[number], object>,
})

const connectorField = builder.objectRef<ConnectorField>('ConnectorField').implement({
  description: 'A field of a dataset.',
  fields: (t) => ({
    id: t.exposeString('id', {
      graphName: 'name',
      description: 'Name of the field, as `fields` takes it.',
      restDescription: 'Id of the field, as `fields` takes it.',
    }),
    label: t.exposeString('label', { description: 'Display name of the field.' }),
    type: t.expose('type', { type: fieldType, description: 'Type of the values of the field.' }),
    role: t.expose('role', {
      type: fieldRole,
      description: 'Role of the field: dimension or metric.',
    }),
  }),
})

const datasetArgs = builder.args((t) => ({
  dataset: t.field({
    type: dataset,
    required: true,
    description: `Dataset to read: ${datasets.map((name) => `\`${name}\``).join(', ')}.`,
    extensions: { param: { values: datasets } },
  }),
}))

const datasetBody = z.object({ dataset: z.enum(datasets) })

report('connectorSchema', {
  type: builder
    .objectRef<{ readonly fields: readonly ConnectorField[] }>('ConnectorSchema')
    .implement({
      description: 'The fields of a dataset.',
      fields: (t) => ({
        fields: t.field({
          type: [connectorField],
          description: 'Fields of the dataset, dimensions first.',
          resolve: ({ fields }) => [...fields],
        }),
      }),
    }),
  description: 'Fields of a dataset that a dashboard connector can read.',
  problems: ['plan_upgrade_required'],
  args: datasetArgs,
  body: datasetBody,
  resolve: async (scope, args) => connectorSchema(scope, args),
})

const size = { default: 50, max: 1000 }

const dataArgs = {
  ...datasetArgs,
  ...builder.args((t) => ({
    fields: t.stringList({
      description:
        'Ids of fields of the dataset. Default: all. Rows are grouped and ordered by the dimensions among them.',
      extensions: { param: { list: true } },
    }),
  })),
  ...inGraph(
    builder.args((t) => ({
      startDate: t.field({
        type: 'Date',
        description:
          'First UTC day of the window, inclusive; not after today. Needs `endDate`; at most 365 days. Default: the 30 days that end today.',
      }),
      endDate: t.field({
        type: 'Date',
        description: 'Last UTC day of the window, inclusive. Needs `startDate`.',
      }),
    })),
    { window: yearWindow },
  ),
  ...pageArgs(size),
}

const dataBody = datasetBody.extend({
  // Longer than any id: the error repeats the refused text.
  fields: z
    .array(z.string().max(100, 'must have at most 100 characters'))
    .min(1, 'must not be empty')
    .nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  limit: wholeNumber(1)
    .default(size.default)
    .transform((limit) => Math.min(limit, size.max)),
  offset: wholeNumber(0).default(0),
})

const rowInJson = { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } }
const rowsInJson = { type: 'array', items: rowInJson }

const connectorRow = builder.objectRef<ConnectorRow>('ConnectorRow').implement({
  description: 'A row of a table.',
  fields: (t) => ({
    values: t.field({
      type: t.listRef('JSON', { nullable: true }),
      description: 'Values in the order of the columns, null without data.',
      json: rowInJson,
      resolve: ({ values }) => [...values],
    }),
  }),
})

report('connectorData', {
  ...listOf(builder.objectRef<ConnectorData>('ConnectorData'), connectorRow, {
    description: 'A table: columns and a page of rows.',
    name: 'ConnectorData',
    rows: 'rows',
    sortKey: ({ key }) => key,
    fields: (t) => ({
      schema: t.field({
        type: [connectorField],
        description: 'The requested fields, in the requested order: the columns of each row.',
        restDescription: 'The requested fields, in the requested order: the columns of `rows`.',
        resolve: ({ schema }) => [...schema],
      }),
      rows: t.field({
        type: t.listRef(t.listRef('JSON', { nullable: true })),
        description:
          'Rows in the order of the dimensions. A row has one value for each field of `schema`, null without data.',
        json: rowsInJson,
        resolve: ({ rows }) => rows.map(({ values }) => [...values]),
      }),
      pagination: reportFields.pagination(t),
    }),
  }),
  description: 'A dataset as a table for dashboards and spreadsheets.',
  problems: ['plan_upgrade_required', 'query_timeout'],
  args: dataArgs,
  body: dataBody,
  resolve: (scope, args) => connectorData(scope, args as typeof args & z.output<typeof dataBody>),
})
