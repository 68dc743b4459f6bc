import type { Agreeing, Agreement } from '../core/method/agreement.ts'
import { roundFloat } from '../core/metrics.ts'
import {
  type AgreementArgs,
  type AgreementReport,
  agreement,
} from '../resolvers/agreement/agreement.ts'
import { filterArgs, windowArgs } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { intervalType } from './kit/interval.ts'
import { methodWay } from './kit/method/method.ts'
import { obtained } from './kit/obtained.ts'
import { report } from './kit/report.ts'
import { reportFields } from './kit/report-fields.ts'
import { platformOf } from './projects/members.ts'
import { platformType } from './projects/platforms.ts'

const percent = (rate: number) => roundFloat(100 * rate)

const share = builder.objectRef<Agreeing>('AgreementShare').implement({
  description: 'How often pairs of answers agree.',
  fields: (t) => ({
    value: t.float({
      nullable: true,
      description: 'Percent of pairs that agree; each question counts once. Null without pairs.',
      resolve: ({ rate }) => (rate === null ? null : percent(rate)),
    }),
    low: t.float({
      nullable: true,
      description:
        'Lower end of the 95 % interval for other prompts like these; null below two prompts.',
      resolve: ({ interval }) => interval && percent(interval.low),
    }),
    high: t.float({
      nullable: true,
      description: 'Upper end of the same interval; null below two prompts.',
      resolve: ({ interval }) => interval && percent(interval.high),
    }),
    questionCount: t.expose('questions', {
      type: 'Int',
      description: 'Questions that count: an answer of a pair says something of what is compared.',
    }),
  }),
})

type AgreementOfProject = Agreement & { readonly projectId: string }

const pair = builder.objectRef<AgreementOfProject>('Agreement').implement({
  description:
    'How far two ways to obtain answers agree on one AI platform: the same prompt at the same location on the same UTC day.',
  fields: (t) => ({
    platform: t.field({
      type: platformType,
      description: 'The AI platform, whose page and API count as one here.',
      resolve: (row, _args, context) => platformOf(context, row.projectId, row.platform),
    }),
    first: t.field({
      type: obtained,
      description: 'How the one answer of a pair was obtained.',
      resolve: ({ ways: [first] }) => first,
    }),
    second: t.field({
      type: obtained,
      description:
        'How the other answer was obtained. The same as `first` where a question was asked twice in one way.',
      resolve: ({ ways: [, second] }) => second,
    }),
    promptCount: t.expose('prompts', { type: 'Int', description: 'Prompts with pairs.' }),
    questionCount: t.expose('questions', {
      type: 'Int',
      description: 'Prompts at a location on a UTC day, with answers of both ways.',
    }),
    firstVisibility: t.float({
      description: 'Percent of the answers obtained as `first` that mention the own brand.',
      resolve: ({ visibility: [rate] }) => percent(rate),
    }),
    secondVisibility: t.float({
      description: 'Percent of the answers obtained as `second` that mention the own brand.',
      resolve: ({ visibility: [, rate] }) => percent(rate),
    }),
    difference: t.field({
      type: intervalType,
      nullable: true,
      description:
        '`secondVisibility` minus `firstVisibility` as an interval over prompts; null below 5 prompts or 30 questions.',
      resolve: ({ difference }) =>
        difference && { low: 100 * difference.low, high: 100 * difference.high },
    }),
    mentions: t.field({
      type: share,
      description: 'Both answers mention the own brand, or neither does.',
      resolve: (row) => row.mentions,
    }),
    firstPlaces: t.field({
      type: share,
      description: 'The same tracked brand is mentioned first, where an answer mentions one.',
      resolve: ({ firsts }) => firsts,
    }),
    domains: t.field({
      type: share,
      description: 'Domains that both answers cite, of those that either cites.',
      resolve: (row) => row.domains,
    }),
  }),
})

report('agreement', {
  type: builder.objectRef<AgreementReport>('AgreementReport').implement({
    description: 'How the answers of a project were obtained, and how far the ways agree.',
    fields: (t) => ({
      ways: t.field({
        type: [methodWay],
        description: 'Number of answers for each way to obtain them, most answers first.',
        resolve: (it) => it.ways(),
      }),
      pairs: t.field({
        type: [pair],
        description:
          'Two ways on one AI platform, and each way with itself, which shows how far answers agree that were obtained alike. The newest 20,000 answers are compared.',
        resolve: async ({ scope, pairs }) =>
          (await pairs()).map((row) => ({ projectId: scope.project.id, ...row })),
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description: 'How answers were obtained, and how far pages, APIs and imports agree.',
  args: { ...windowArgs, ...filterArgs },
  resolve: (scope, args) => agreement(scope, args as typeof args & AgreementArgs),
})
