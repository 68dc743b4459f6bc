import { z } from 'zod'
import {
  type ConnectorField,
  datasets,
  type fieldRoles,
  type fieldTypes,
} from '../resolvers/connector/columns.sql.ts'
import {
  type ConnectorData,
  connectorData,
  connectorSchema,
} from '../resolvers/connector/connector.ts'
import { pageArgs } from './kit/args.ts'
import { builder, report } from './kit/builder.ts'
import { reportFields } from './kit/report-fields.ts'

const dataset = builder.enumType('ConnectorDataset', {
  description: 'What a connector can read.',
  values: {
    visibility: { description: 'Answers, and whether they name the brand.' },
    sources: { description: 'What answers cite.' },
    traffic: { description: 'Requests of AI crawlers to the site.' },
    prompts: { description: 'The prompts as they are now, whatever the dates.' },
  } satisfies Record<(typeof datasets)[number], object>,
})

const fieldType = builder.enumType('ConnectorFieldType', {
  description: 'What the values of a field are, beside null.',
  values: {
    string: { description: 'A text.' },
    integer: { description: 'A whole number.' },
    number: { description: 'A number of at most two decimals.' },
    boolean: { description: 'True or false.' },
    date: { description: 'A UTC day, `YYYY-MM-DD`.' },
  } satisfies Record<(typeof fieldTypes)[number], object>,
})

const fieldRole = builder.enumType('ConnectorFieldRole', {
  description: 'What a field does to the rows.',
  values: {
    dimension: { description: 'Groups them.' },
    metric: { description: 'Is counted over each group.' },
  } satisfies Record<(typeof fieldRoles)[number], object>,
})

const connectorField = builder.objectRef<ConnectorField>('ConnectorField').implement({
  description: 'A field of a dataset.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Its name in `fields`.' }),
    label: t.exposeString('label', { description: 'Its name for people.' }),
    type: t.expose('type', { type: fieldType, description: 'What its values are.' }),
    role: t.expose('role', { type: fieldRole, description: 'What it does to the rows.' }),
  }),
})

const datasetArgs = builder.args((t) => ({
  dataset: t.field({
    type: dataset,
    required: true,
    description: `What is read: ${datasets.map((name) => `\`${name}\``).join(', ')}.`,
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
          description: 'Dimensions first.',
          resolve: ({ fields }) => [...fields],
        }),
      }),
    }),
  description: 'The fields that a connector of a dashboard can read of a dataset.',
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
        'Ids of fields of the dataset, each once; all of them unless given. Rows are grouped by the dimensions among them, and ordered by these; without any there is one row.',
      extensions: { param: { list: true } },
    }),
    startDate: t.field({
      type: 'Date',
      description: `First day, inclusive, UTC. Needs \`endDate\`; the range may span 365 days. Without both: the 30 days that end today.`,
    }),
    endDate: t.field({
      type: 'Date',
      description: 'Last day, inclusive, UTC. Needs `startDate`.',
    }),
  })),
  ...pageArgs(size),
}

const dataBody = datasetBody.extend({
  // Longer than any name: what is refused is told in the answer.
  fields: z
    .array(z.string().max(100, 'is longer than 100 characters'))
    .min(1, 'must not be empty')
    .nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  limit: z
    .int()
    .min(1)
    .default(size.default)
    .transform((limit) => Math.min(limit, size.max)),
  offset: z.int().min(0).default(0),
})

const rowsInJson = {
  type: 'array',
  items: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
}

report('connectorData', {
  type: builder.objectRef<ConnectorData>('ConnectorData').implement({
    description: 'A table: its columns, and a page of its rows.',
    fields: (t) => ({
      schema: t.field({
        type: [connectorField],
        description: 'The fields that were asked for, in that order.',
        resolve: ({ schema }) => [...schema],
      }),
      rows: t.field({
        type: t.listRef(t.listRef('JSON', { nullable: true })),
        description:
          'A value for each field, in their order; null where there is none. Ordered by the dimensions.',
        json: rowsInJson,
        resolve: ({ rows }) => rows.map((row) => [...row]),
      }),
      pagination: reportFields.pagination(t),
    }),
  }),
  description: 'A page of a dataset, as a table that dashboards and spreadsheets read.',
  problems: ['plan_upgrade_required', 'query_timeout'],
  args: dataArgs,
  body: dataBody,
  resolve: (scope, args) => connectorData(scope, args as typeof args & z.output<typeof dataBody>),
})
