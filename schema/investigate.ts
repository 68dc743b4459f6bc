import {
  type driverDimensions,
  type InvestigatedMetric,
  investigatedMetrics,
} from '../core/investigate/drivers.ts'
import { ratioOf, roundedExact } from '../core/investigate/exact.ts'
import { type Movers, moversOf } from '../core/investigate/movers.ts'
import { isOfFew, type Ratio, rounded } from '../core/metrics.ts'
import type { NamedDriver } from '../resolvers/investigate/drivers.ts'
import type { Evidence } from '../resolvers/investigate/evidence.ts'
import {
  type InvestigateArgs,
  type Investigation,
  investigations,
} from '../resolvers/investigate/investigate.ts'
import { batched } from '../resolvers/shared/batch.ts'
import { filterArgs, windowArgs } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { intervalType } from './kit/interval.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { report } from './kit/report.ts'
import { dateRangeBlock, reportFields } from './kit/report-fields.ts'
import { rater, raterArgs, scoreFields } from './sentiment/tones.ts'

const metric = builder.enumType('InvestigatedMetric', {
  description: 'A metric whose change can be divided among its causes.',
  values: {
    visibility: { description: 'Percent of answers that name the own brand.' },
    shareOfVoice: {
      description: 'Percent: answers that mention the own brand, of the sum over tracked brands.',
    },
    sentiment: {
      description: 'Percent of rated answers that are positive; a neutral answer counts half.',
    },
    citations: { description: 'Citations of own domains.' },
  } satisfies Record<InvestigatedMetric, object>,
})

const dimension = builder.enumType('DriverDimension', {
  description: 'The property by which answers are divided.',
  values: {
    platform: { description: 'By AI platform.' },
    topic: {
      description: 'By topic of the prompt. A prompt of several topics gives each an equal part.',
    },
    prompt: { description: 'By prompt.' },
    location: { description: 'By tracked location where the answer was collected.' },
    competitor: {
      description: 'By competitor that answers mention; only for the metric `share_of_voice`.',
      extensions: {
        restDescription: 'By competitor that answers name; of the metric `shareOfVoice` alone.',
      },
    },
  } satisfies Record<(typeof driverDimensions)[number], object>,
})

const meaning = {
  current: 'The metric in the window: percent, or a number of citations.',
  previous: 'The metric in the window of equal length just before.',
  change: '`current` minus `previous`: percentage points, or citations.',
  contribution: 'Part of `change` that this key made; all of one dimension sum to it.',
  driverCurrent: "The metric in this key's answers in the window; a competitor's share of voice.",
  driverPrevious: "The metric in this key's answers in the equal window just before.",
  rateEffect:
    'Part of `contribution` from another value of the metric at this key, in percentage points.',
  mixEffect:
    'Part of `contribution` from another share of this key in all answers, in percentage points.',
  noEffect: 'Null of the metric `citations` and of competitors.',
}

/** Scores of sentiment alone have a least number of answers. */
const isFewOf = (ratio: Ratio | null) => ratio !== null && isOfFew(ratio)

const noKey = 'Null without such answers.'

const driverMetrics = metricsType<NamedDriver>(
  'InvestigationDriverMetrics',
  'The numbers of a driver as fractions, not rounded.',
  {
    contribution: {
      description: meaning.contribution,
      measure: 'independent',
      resolve: (driver) => ratioOf(driver.contribution),
    },
    current: {
      nullable: true,
      description: `${meaning.driverCurrent} ${noKey}`,
      measure: 'independent',
      resolve: (it) => it.current,
    },
    previous: {
      nullable: true,
      description: `${meaning.driverPrevious} ${noKey}`,
      measure: 'independent',
      resolve: (it) => it.previous,
    },
    rateEffect: {
      nullable: true,
      description: `${meaning.rateEffect} ${meaning.noEffect}`,
      measure: 'independent',
      resolve: ({ rateEffect }) => rateEffect && ratioOf(rateEffect),
    },
    mixEffect: {
      nullable: true,
      description: `${meaning.mixEffect} ${meaning.noEffect}`,
      measure: 'independent',
      resolve: ({ mixEffect }) => mixEffect && ratioOf(mixEffect),
    },
  },
)

export const investigationDriver = builder.objectRef<NamedDriver>('InvestigationDriver').implement({
  description: 'A part of the answers, and its part of the change of a metric.',
  fields: (t) => ({
    dimension: t.expose('dimension', {
      type: dimension,
      description: 'Property by which the answers are divided.',
    }),
    key: t.exposeString('key', {
      description:
        'Id of the platform, topic, prompt, location or competitor; `none` for no topic or location, `other` beyond the first 50.',
    }),
    label: t.exposeString('label', {
      description: 'Name of the platform, topic, location or competitor; wording of the prompt.',
    }),
    contribution: t.float({
      description: meaning.contribution,
      resolve: ({ contribution }) => roundedExact(contribution),
    }),
    ...scoreFields(
      t,
      'current',
      `${meaning.driverCurrent} Null without such answers.`,
      ({ current }) => current && rounded(current),
      ({ current }) => isFewOf(current),
    ),
    ...scoreFields(
      t,
      'previous',
      `${meaning.driverPrevious} Null without such answers.`,
      ({ previous }) => previous && rounded(previous),
      ({ previous }) => isFewOf(previous),
    ),
    rateEffect: t.float({
      nullable: true,
      description: `${meaning.rateEffect} ${meaning.noEffect}`,
      resolve: ({ rateEffect }) => rateEffect && roundedExact(rateEffect),
    }),
    mixEffect: t.float({
      nullable: true,
      description: `${meaning.mixEffect} ${meaning.noEffect}`,
      resolve: ({ mixEffect }) => mixEffect && roundedExact(mixEffect),
    }),
    metrics: metricsField(t, driverMetrics, (row) => row),
  }),
})

const movers = builder.objectRef<Movers<NamedDriver>>('InvestigationMovers').implement({
  description:
    'The drivers of one dimension that raised a metric most, and those that lowered it most. With `contributionOfOthers` their contributions sum to the change before rounding.',
  fields: (t) => ({
    dimension: t.expose('dimension', {
      type: dimension,
      description: 'Property by which the answers are divided.',
    }),
    up: t.field({
      type: [investigationDriver],
      description: 'Drivers with a contribution above 0, the largest first.',
      resolve: ({ up }) => [...up],
    }),
    down: t.field({
      type: [investigationDriver],
      description: 'Drivers with a contribution below 0, the largest loss first.',
      resolve: ({ down }) => [...down],
    }),
    otherCount: t.expose('others', {
      type: 'Int',
      description: 'Number of keys of the dimension that are in neither list.',
    }),
    contributionOfOthers: t.float({
      description:
        'Part of the change that the keys in neither list made, in percentage points, or a number of citations.',
      resolve: ({ contributionOfOthers }) => roundedExact(contributionOfOthers),
    }),
  }),
})

export const investigationEvidence = builder
  .objectRef<Evidence>('InvestigationEvidence')
  .implement({
    description: 'An answer that shows the change.',
    fields: (t) => ({
      answerId: t.exposeID('answerId', { view: 'rest', description: 'UUID of the answer.' }),
      promptId: t.exposeID('promptId', {
        view: 'rest',
        description: 'UUID of the prompt that was answered.',
      }),
      platformId: t.exposeString('platform', {
        view: 'rest',
        restName: 'platform',
        description: 'Id of the AI platform.',
      }),
      date: t.expose('date', { type: 'Date', description: 'UTC day of the answer.' }),
      excerpt: t.exposeString('excerpt', {
        description:
          'Up to 240 characters of the answer around the first mention of the own brand, without Markdown.',
      }),
    }),
  })

const noValue = 'Null without answers that the metric divides by; the metric `citations` has 0.'

const metrics = metricsType<Investigation>(
  'InvestigationMetrics',
  'The numbers of an investigation as fractions, not rounded.',
  {
    current: {
      nullable: true,
      description: `${meaning.current} ${noValue}`,
      measure: 'independent',
      resolve: (it) => it.current,
    },
    previous: {
      nullable: true,
      description: `${meaning.previous} ${noValue}`,
      measure: 'independent',
      resolve: (it) => it.previous,
    },
    change: {
      nullable: true,
      description: `${meaning.change} Null when either is null.`,
      measure: 'independent',
      resolve: ({ change, current, previous }) =>
        isFewOf(current) || isFewOf(previous) ? null : change && ratioOf(change),
    },
  },
)

export const investigation = builder.objectRef<Investigation>('Investigation').implement({
  description: 'The change of a metric against the window of equal length just before.',
  fields: (t) => ({
    project: reportFields.project(t),
    metric: t.expose('metric', { type: metric, description: 'The metric that is investigated.' }),
    ...scoreFields(
      t,
      'current',
      `${meaning.current} ${noValue}`,
      ({ current }) => current && rounded(current),
      ({ current }) => isFewOf(current),
    ),
    ...scoreFields(
      t,
      'previous',
      `${meaning.previous} ${noValue}`,
      ({ previous }) => previous && rounded(previous),
      ({ previous }) => isFewOf(previous),
    ),
    ...scoreFields(
      t,
      'change',
      `${meaning.change} Null when either is null.`,
      ({ change }) => change && roundedExact(change),
      ({ current, previous }) => isFewOf(current) || isFewOf(previous),
    ),
    interval: t.expose('interval', {
      type: intervalType,
      nullable: true,
      description:
        '95 % interval of `change`, over prompts in both windows. Null below 5 prompts or 30 answers, and for `citations`.',
    }),
    isSignificant: t.exposeBoolean('isSignificant', {
      nullable: true,
      description: 'Whether `interval` excludes 0. Null when `interval` is null.',
    }),
    drivers: t.field({
      type: [investigationDriver],
      description:
        'Parts of the change by dimension, the largest first. Empty when `change` is null.',
      resolve: (it) => it.drivers(),
    }),
    movers: t.field({
      type: [movers],
      view: 'graph',
      description:
        'What moved the metric most, by dimension: the drivers that raised it and those that lowered it. Empty when `change` is null.',
      args: {
        dimensions: t.arg({
          type: [dimension],
          description: 'Only these dimensions; all unless given.',
        }),
        top: t.arg.int({
          defaultValue: 3,
          description: 'The most drivers up and the most down: 1 to 20; more is clamped.',
        }),
      },
      resolve: async (it, { dimensions, top }) => {
        const drivers = await it.drivers()
        const most = Math.min(Math.max(top ?? 3, 1), 20)
        return moversOf(drivers, most).filter(
          (found) => !dimensions?.length || dimensions.includes(found.dimension),
        )
      },
    }),
    evidence: t.field({
      type: [investigationEvidence],
      description: 'The 2 newest answers to each of the 5 prompts that moved the metric most.',
      resolve: (it) => it.evidence(),
    }),
    metrics: metricsField(t, metrics, (it) => it),
    ...reportFields.window(t),
    // The name of before stays: the seven facts are in every other report on the same answers.
    method: t.expose('method', {
      type: rater,
      nullable: true,
      view: 'graph',
      description: 'Who rated the answers; null of metrics that are no ratings.',
    }),
    previousRange: t.expose('previousRange', {
      type: dateRangeBlock,
      description: 'The window of equal length just before.',
    }),
  }),
})

report('investigate', {
  type: investigation,
  description:
    'Why a metric changed: the platforms, topics, prompts, locations and competitors that made the change, and whether chance could have.',
  args: {
    ...builder.args((t) => ({
      metric: t.field({
        type: metric,
        required: true,
        description: 'Metric to investigate.',
        extensions: {
          param: { values: investigatedMetrics },
          restDescription: `Metric to investigate: ${investigatedMetrics.map((name) => `\`${name}\``).join(', ')}.`,
        },
      }),
    })),
    ...windowArgs,
    ...filterArgs,
    ...raterArgs,
  },
  resolve: (scope, args) => batched('investigate', scope, args as InvestigateArgs, investigations),
})
