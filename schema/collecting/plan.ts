import { planRun, type RunPlan } from '../../resolvers/collecting/plan.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'

export const runPlan = builder.objectRef<RunPlan>('RunPlan').implement({
  description: 'What a run would ask and cost.',
  fields: (t) => ({
    prompts: t.field({
      type: 'Int',
      description: 'Prompts.',
      resolve: ({ prompts }) => prompts.length,
    }),
    questions: t.expose('asks', {
      type: 'Int',
      description: 'Questions: prompts, times provider keys, times locations, times repetitions.',
    }),
    expectedCost: t.exposeFloat('expectedCost', {
      nullable: true,
      description: 'Expected cost in US dollars; null where the price of a model is unknown.',
    }),
    assumptions: t.stringList({
      description: 'What `expectedCost` assumes where no price list says it, as sentences.',
      resolve: ({ assumptions }) => [...assumptions],
    }),
  }),
})

export const selectionArgs = builder.args((t) => ({
  promptIds: t.idList({
    description: 'Ids of prompts. Default, without topics: all prompts that are tracked.',
  }),
  topicIds: t.idList({ description: 'Ids of topics, whose tracked prompts are asked.' }),
  keys: t.stringList({
    description: 'Labels of provider keys of the workspace. Default: all provider keys.',
  }),
  locationIds: t.idList({
    description: 'Ids of locations to ask from, each in turn. Default: no place.',
  }),
  language: t.string({
    description:
      "BCP 47 tag of the answers' language, such as `de`. Default: the assistant chooses.",
  }),
  repetitions: t.field({
    type: 'Int',
    defaultValue: 1,
    description: 'How often each prompt is asked at each provider and location, from 1 to 20.',
  }),
}))

const lists = ['promptIds', 'topicIds', 'locationIds'] as const

/** Ids of GraphQL may be numbers. */
export function withTextIds<Given extends object>(given: Given): Selected<Given> {
  const texts = lists.flatMap((name) => {
    const ids = (given as Readonly<Record<string, unknown>>)[name]
    return Array.isArray(ids) ? [[name, ids.map(String)]] : []
  })
  return { ...given, ...Object.fromEntries(texts) } as Selected<Given>
}

type Selected<Given> = Omit<Given, (typeof lists)[number]> & {
  readonly [Name in (typeof lists)[number]]?: string[] | null | undefined
}

builder.objectField('Project', 'runPlan', (t) =>
  t.field({
    type: runPlan,
    access: readOfProject,
    description: 'Counts what `runPrompts` would ask, with the expected cost. Asks nothing.',
    args: selectionArgs,
    resolve: ({ db, project }: ProjectScope, args) => planRun(db, project, withTextIds(args)),
  }),
)
