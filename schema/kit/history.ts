import { type Bucket, historyIntervals } from '../../core/buckets.ts'
import { builder } from './builder.ts'
import type { FieldsOf } from './report-fields.ts'

const meanings = {
  day: 'One row for each UTC day.',
  week: 'One row for each week of ISO 8601, Monday to Sunday.',
  month: 'One row for each calendar month.',
}

const historyInterval = builder.enumType('HistoryInterval', {
  description: 'The days that one row of a history sums up.',
  values: Object.fromEntries(
    historyIntervals.map((name) => [name, { description: meanings[name] }]),
  ) as Record<keyof typeof meanings, { description: string }>,
})

/** `interval` of a history. REST has days alone. */
export const intervalArgs = builder.args((t) => ({
  interval: t.field({
    type: historyInterval,
    defaultValue: 'day',
    description: 'Length of a row; its ratios are of all its answers.',
    extensions: { view: 'graph' },
  }),
}))

/** The base of a row's numbers, for its descriptions in both doors. */
export const ofBucket = (answers: string) =>
  [`${answers} from \`from\` to \`to\``, `${answers} of the day`] as const

/** The description of the rows of a history that leaves out what has no answers. */
export const answeredBuckets = {
  description: 'Days, weeks or months that have answers, oldest first.',
  restDescription: 'Days that have answers, oldest first.',
}

/** The description of the rows of a series that leaves none out. */
export const everyBucket = (nothing: string) => ({
  description: `One entry for each day, week or month of the window, oldest first; 0 without ${nothing}.`,
  restDescription: `One entry for each day of the window, oldest first; 0 without ${nothing}.`,
})

/** The days of a row of a history. @param day what its days are, where they are not days of UTC */
export const bucketFields = <Row extends Bucket>(t: FieldsOf<Row>, day?: string) => ({
  date: t.field({
    type: 'Date',
    description: `${day ? `D${day.slice(1)}` : 'UTC day'}, the Monday of the week, or the first of the month.`,
    restDescription: day ? `D${day.slice(1)}.` : 'UTC day.',
    resolve: ({ date }) => date,
  }),
  from: t.field({
    type: 'Date',
    view: 'graph',
    description: 'First day that counts.',
    resolve: ({ from }) => from,
  }),
  to: t.field({
    type: 'Date',
    view: 'graph',
    description: 'Last day that counts.',
    resolve: ({ to }) => to,
  }),
  isPartial: t.boolean({
    view: 'graph',
    description: 'Whether the window cuts the week or month.',
    resolve: ({ isPartial }) => isPartial,
  }),
})
