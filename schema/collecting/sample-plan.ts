import {
  type SamplePlan,
  type SamplePlanArgs,
  type SampleTarget,
  type SpreadBasis,
  samplePlan,
} from '../../resolvers/collecting/sample-plan.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { wordsOf } from '../kit/words.ts'

const basis = wordsOf<SpreadBasis>('SamplePlanBasis', 'Where the spreads of a plan are from.', {
  measured: 'The answers in the window.',
  assumed:
    'The window has fewer than 5 prompts, or none whose answers differ: a brand in 3 of 10 answers is assumed.',
})

const target = builder.objectRef<SampleTarget>('SamplePlanTarget').implement({
  description: 'Changes of a schedule, each of which alone detects a change of the visibility.',
  fields: (t) => ({
    points: t.exposeFloat('points', {
      description: 'The change to detect, in percentage points.',
    }),
    prompts: t.expose('prompts', {
      type: 'Int',
      nullable: true,
      description: 'Prompts that detects the change; null where 10,000 do not.',
    }),
    answersPerPrompt: t.expose('answersPerPrompt', {
      type: 'Int',
      nullable: true,
      description: 'Answers to each prompt in a window that detect the change. Null where none do.',
    }),
    runsPerWeek: t.exposeFloat('runsPerWeek', {
      nullable: true,
      description: 'Runs in a week that give `answersPerPrompt`; null when it is null.',
    }),
  }),
})

const points = {
  power: 'It is found in 80 of 100 cases, at 95 % confidence.',
}

report('samplePlan', {
  type: builder.objectRef<SamplePlan>('SamplePlan').implement({
    description: `The change of the visibility that a schedule of questions detects. ${points.power}`,
    fields: (t) => ({
      basis: t.field({
        type: basis,
        description: 'Where the spreads are from.',
        resolve: (plan) => plan.basis,
      }),
      withinPrompts: t.exposeFloat('withinPrompts', {
        description:
          'Standard deviation of answers to one prompt on one AI platform, in percentage points.',
      }),
      betweenPrompts: t.exposeFloat('betweenPrompts', {
        description:
          'Standard deviation of the visibility of single prompts, in percentage points.',
      }),
      changesOfPrompts: t.exposeFloat('changesOfPrompts', {
        description:
          'Standard deviation of changes of prompts between halves of the window, in percentage points.',
      }),
      prompts: t.expose('prompts', { type: 'Int', description: 'Planned prompts.' }),
      platforms: t.expose('platforms', {
        type: 'Int',
        description: 'Planned AI platforms.',
      }),
      answersPerPrompt: t.expose('answersPerPrompt', {
        type: 'Int',
        description: 'Planned answers to each prompt in one window, on all platforms.',
      }),
      questionsPerWeek: t.expose('questionsPerWeek', {
        type: 'Int',
        description: 'Planned questions in a week.',
      }),
      detectablePoints: t.exposeFloat('detectablePoints', {
        nullable: true,
        description: `The smallest change of the visibility that the plan detects, in percentage points. ${points.power} Null below 5 prompts or 30 answers in a window.`,
      }),
      intervalPoints: t.exposeFloat('intervalPoints', {
        nullable: true,
        description:
          'Half of the 95 % interval of the visibility in one window, in percentage points. Null below 2 prompts.',
      }),
      target: t.field({
        type: target,
        description: 'What detects the change that was asked for.',
        resolve: (plan) => plan.target,
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description:
    "Which change of the visibility a schedule detects, by the spreads of the window's answers.",
  args: {
    ...builder.args((t) => ({
      prompts: t.field({
        type: 'Int',
        description: 'Prompts to plan, from 1 to 10,000. Default: all tracked prompts.',
      }),
      platforms: t.field({
        type: 'Int',
        description:
          'AI platforms to plan, from 1 to 100. Default: those with answers, at least 1.',
      }),
      repetitions: t.field({
        type: 'Int',
        defaultValue: 1,
        description: 'How often a run asks each prompt on each platform, from 1 to 20.',
      }),
      runsPerWeek: t.float({
        defaultValue: 7,
        description: 'Runs in a week, above 0 and at most 168.',
      }),
      windowWeeks: t.field({
        type: 'Int',
        defaultValue: 4,
        description: 'Length of each of the two windows to compare, from 1 to 52 weeks.',
      }),
      points: t.float({
        defaultValue: 5,
        description: 'The change to detect, from 0.1 to 50 percentage points.',
      }),
    })),
    ...windowArgs,
    ...filterArgs,
  },
  resolve: (scope, args) => samplePlan(scope, args as SamplePlanArgs),
})
