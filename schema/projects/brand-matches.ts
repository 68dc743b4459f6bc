import { matchModes } from '../../core/text/match-modes.ts'
import {
  answersToSearch,
  type BrandMatches,
  brandMatches,
  type MatchSample,
  type NameMatches,
} from '../../resolvers/projects/brand-matches.ts'
import { setNameMatch } from '../../resolvers/projects/name-match.ts'
import { builder } from '../kit/builder.ts'
import { projectChange, projectMutation } from '../kit/project-mutation.ts'
import { report } from '../kit/report.ts'

export const matchMode = builder.enumType('MatchMode', {
  description: 'How a name is found in answers.',
  values: {
    any_case: { description: 'In any upper and lower case.' },
    exact_case: {
      description:
        'Only where it is spelled exactly so, and not within a hyphenated word or as an ordinary first word of a sentence.',
    },
  },
})

const matchReason = builder.enumType('MatchReason', {
  description: 'Why a name has its mode of matching.',
  values: {
    chosen: { description: 'Somebody chose the mode.' },
    dictionary_word: {
      description: 'The name is a word of the English dictionary, also in the plural.',
    },
    short: { description: 'The name has one or two letters.' },
    unit: { description: 'The name is a unit of measurement.' },
    foreign_word: {
      description:
        'The name is a word of other languages: exact case counts in those, any case elsewhere.',
    },
    distinctive: { description: 'The name is no word of any dictionary.' },
  },
})

const setAsideReason = builder.enumType('SetAsideReason', {
  description: 'Why a name in an answer does not count.',
  values: {
    case: { description: 'The upper and lower case differs.' },
    hyphen: { description: 'A hyphen makes the name a part of another word.' },
    sentence_start: {
      description:
        'The first word of a sentence, which the answer has in lower case too or which begins a phrase such as "Signal strength".',
    },
    amount: { description: 'A unit after a number, as in "a 5 HP motor".' },
    person: { description: 'The name of a person, as in "August Wilson wrote".' },
    excluded_phrase: { description: 'The name is part of one of its excluded phrases.' },
    longer_name: { description: 'A longer name of a tracked brand covers this one.' },
  },
})

export const matchSample = builder.objectRef<MatchSample>('MatchSample').implement({
  description: 'A position in an answer where a name occurs.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'UTC day of the answer.' }),
    before: t.exposeString('before', { description: 'Text before the name.' }),
    matched: t.exposeString('matched', { description: 'The name as the answer spells it.' }),
    after: t.exposeString('after', { description: 'Text after the name.' }),
    counts: t.boolean({
      description: 'Whether the name counts as a mention here.',
      resolve: ({ setAside }) => setAside === null,
    }),
    setAside: t.expose('setAside', {
      type: setAsideReason,
      nullable: true,
      description: 'Why the name does not count here; null where it counts.',
    }),
  }),
})

export const nameMatches = builder.objectRef<NameMatches>('NameMatches').implement({
  description: 'A name of a tracked brand: how it is matched, and what it finds in answers.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The name, an alias, or a domain of the brand.' }),
    match: t.field({
      type: matchMode,
      description: 'How the name is found.',
      resolve: ({ rule }) => rule.mode,
    }),
    matchReason: t.field({
      type: matchReason,
      description: 'Why the name is found so.',
      resolve: ({ rule }) => rule.reason,
    }),
    exactCaseLanguages: t.stringList({
      description:
        'Languages with the name as a word: `es`, `fr`, `nl`, `pt`. Answers in them mention the brand only where it is spelled exactly so.',
      resolve: ({ exactIn }) => [...exactIn],
    }),
    excludedPhrases: t.stringList({
      description: 'Phrases in which the name does not count.',
      resolve: ({ excludedPhrases }) => [...excludedPhrases],
    }),
    answerCount: t.expose('answers', {
      type: 'Int',
      description: 'Searched answers in which the name counts.',
    }),
    answersSetAside: t.expose('answersSetAside', {
      type: 'Int',
      description: 'Searched answers that have the name without counting it.',
    }),
    samples: t.field({
      type: [matchSample],
      description: 'Sample places from the newest answers, those that count first.',
      resolve: (it) => [...it.samples],
    }),
  }),
})

report('brandMatches', {
  type: builder.objectRef<BrandMatches>('BrandMatches').implement({
    description: 'How the names of all tracked brands are matched, with samples.',
    fields: (t) => ({
      answersSearched: t.expose('answersSearched', {
        type: 'Int',
        description: `Newest answers that were searched, at most ${answersToSearch}.`,
      }),
      names: t.field({
        type: [nameMatches],
        description: 'Names, aliases and domains of the own brand, then of the competitors.',
        resolve: (it) => [...it.names],
      }),
    }),
  }),
  description:
    'How each name of the tracked brands is matched, and what it finds in the newest answers, by the rules of now.',
  args: builder.args((t) => ({
    samples: t.field({
      type: 'Int',
      description: 'Samples that count, and of samples that do not, for each name.',
      extensions: { param: { min: 0, max: 50, clamp: true, default: 5 } },
    }),
  })),
  resolve: (scope, { samples }) => brandMatches(scope, scope.project.id, { limit: samples ?? 5 }),
})

const samplesOfChange = 5

builder.objectField(projectChange, 'names', (t) =>
  t.field({
    type: [nameMatches],
    description: 'The changed names with their rules and samples from the newest answers.',
    resolve: async ({ projectId, subjectId }, _args, { services }) => {
      const { names } = await brandMatches(services, projectId, {
        limit: samplesOfChange,
        subjectId,
      })
      return [...names]
    },
  }),
)

projectMutation('setNameMatch', {
  description:
    'Sets how a name or alias of a tracked brand is matched. Absent arguments change nothing.',
  args: builder.args((t) => ({
    competitorId: t.id({
      description:
        'Id of the competitor whose name it is. Absent, the name is one of the own brand.',
    }),
    alias: t.string({
      description: 'The alias. Absent, the rule is set for the name of the brand.',
    }),
    match: t.field({
      type: matchMode,
      description: `How the name is found: ${matchModes.map((mode) => `\`${mode}\``).join(' or ')}. Null lets the name decide.`,
    }),
    excludedPhrases: t.stringList({
      description:
        'Phrases in which the name does not count, such as "target audience". Replaces all.',
    }),
  })),
  change: ({ db, actor, projectId }, { competitorId, alias, match, excludedPhrases }) =>
    setNameMatch(db, actor, projectId, {
      competitorId: competitorId ? String(competitorId) : null,
      alias: alias ?? null,
      ...(match === undefined ? {} : { match }),
      ...(excludedPhrases ? { excludedPhrases } : {}),
    }),
})
