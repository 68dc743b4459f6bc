import {
  type DefinedNumber,
  type DefinitionName,
  definitionNames,
  definitions,
} from '../../core/method/definitions.ts'
import type { VisibilityArgs } from '../../resolvers/visibility/counts.ts'
import {
  type VisibilityDefinitions,
  visibilityDefinitions,
} from '../../resolvers/visibility/definitions.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { wordsOf } from '../kit/words.ts'

const definitionWord = wordsOf(
  'VisibilityDefinitionName',
  'A way to count how visible a brand is.',
  Object.fromEntries(definitionNames.map((name) => [name, definitions[name].meaning])) as Record<
    DefinitionName,
    string
  >,
)

const definedNumber = builder.objectRef<DefinedNumber>('VisibilityDefinition').implement({
  description: 'How visible the brand is by one definition.',
  fields: (t) => ({
    definition: t.field({
      type: definitionWord,
      description: 'The definition.',
      resolve: ({ definition }) => definition,
    }),
    name: t.string({
      description: 'Name of the definition for people.',
      resolve: ({ definition }) => definitions[definition].name,
    }),
    value: t.expose('value', {
      type: 'Float',
      nullable: true,
      description: 'Percent by this definition; null without a base.',
    }),
    numerator: t.exposeFloat('numerator', {
      description: 'The count of the definition: answers, prompts, points or occurrences.',
    }),
    denominator: t.exposeFloat('denominator', { description: 'The base of the percentage.' }),
    meaning: t.string({
      description: 'One sentence on the definition: the count and its base.',
      resolve: ({ definition }) => definitions[definition].meaning,
    }),
    usedBy: t.string({
      description:
        'Tools that count so, and their name for it, by their help pages of November 2026.',
      resolve: ({ definition }) => definitions[definition].usedBy,
    }),
  }),
})

report('visibilityDefinitions', {
  type: builder.objectRef<VisibilityDefinitions>('VisibilityDefinitions').implement({
    description: 'The same answers counted by the definitions of visibility that tools use.',
    fields: (t) => ({
      definitions: t.field({
        type: [definedNumber],
        description: "One row for each definition; the first is Sightline's own.",
        resolve: ({ numbers }) => [...numbers],
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description:
    'Visibility by the definitions that different tools use, counted in the same answers.',
  args: { ...windowArgs, ...filterArgs },
  resolve: (scope, args) => visibilityDefinitions(scope, args as VisibilityArgs),
})
