import type {
  BrandCounts,
  CitationCounts,
  PreviewedBrand,
  ReanalysisPreview,
} from '../../imports/answers/preview.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'
import { matchMode } from './brand-matches.ts'

const mostAnswers = 20_000

const triedName = builder.inputType('TriedName', {
  description: 'A change to try: a rule of a name, or an alias that does not exist yet.',
  fields: (t) => ({
    competitorId: t.id({ description: 'Id of the competitor; absent for the own brand.' }),
    alias: t.string({
      description: 'The alias, also a new one; absent for the name of the brand.',
    }),
    match: t.field({
      type: matchMode,
      description: 'How the name is found. Null lets the name decide; absent keeps the mode.',
    }),
    excludedPhrases: t.stringList({
      description: 'Phrases in which the name does not count; replaces all.',
    }),
  }),
})

const triedCompetitor = builder.inputType('TriedCompetitor', {
  description: 'A competitor to try.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the competitor.' }),
    domain: t.string({ required: true, description: 'Domain of the competitor.' }),
  }),
})

const brandCounts = builder.objectRef<BrandCounts>('BrandCounts').implement({
  description: 'How often all answers of a project name a brand.',
  fields: (t) => ({
    mentionedIn: t.expose('answers', {
      type: 'Int',
      description: 'Answers that name the brand.',
    }),
    mentionCount: t.expose('mentions', {
      type: 'Int',
      description: 'Mentions; one answer may have several.',
    }),
  }),
})

const citationCounts = builder.objectRef<CitationCounts>('CitationCounts').implement({
  description: 'The pages that all answers of a project cite.',
  fields: (t) => ({
    citationCount: t.expose('citations', {
      type: 'Int',
      description: 'Citations: each answer counts a page once.',
    }),
    urlCount: t.expose('urls', { type: 'Int', description: 'Different pages.' }),
    domainCount: t.expose('domains', { type: 'Int', description: 'Different domains.' }),
  }),
})

const previewedCitations = builder
  .objectRef<ReanalysisPreview['cited']>('PreviewedCitations')
  .implement({
    description: 'Cited pages as reports show them, and as a reanalysis would name them.',
    fields: (t) => ({
      before: t.expose('before', {
        type: citationCounts,
        description: 'Counts of the reports now.',
      }),
      after: t.expose('after', {
        type: citationCounts,
        description: 'Counts after a reanalysis, by the rules of this version.',
      }),
    }),
  })

export const previewedBrand = builder.objectRef<PreviewedBrand>('PreviewedBrand').implement({
  description: 'The counts of a brand as reports show them, and as a reanalysis would make them.',
  fields: (t) => ({
    name: t.exposeString('brand', { description: 'Name of the brand.' }),
    isOwn: t.exposeBoolean('isOwn', { description: 'Whether the brand is the own brand.' }),
    before: t.expose('before', { type: brandCounts, description: 'Counts of the reports now.' }),
    after: t.expose('after', { type: brandCounts, description: 'Counts after a reanalysis.' }),
  }),
})

report('previewReanalysis', {
  type: builder.objectRef<ReanalysisPreview>('ReanalysisPreview').implement({
    description: 'Which counts a reanalysis would move, over all answers of a project.',
    fields: (t) => ({
      answerCount: t.expose('answers', {
        type: 'Int',
        description: 'Answers of the project.',
      }),
      citations: t.expose('cited', {
        type: previewedCitations,
        description: 'Which counts of cited pages would move.',
      }),
      brands: t.field({
        type: [previewedBrand],
        description: 'The own brand, then the competitors.',
        resolve: (it) => [...it.brands],
      }),
    }),
  }),
  description: `Shows which counts a reanalysis would move, and by how much, without moving any. Tries changes of names and competitors too. Refuses projects with more than ${mostAnswers} answers.`,
  args: builder.args((t) => ({
    names: t.field({ type: [triedName], description: 'Changes of names and aliases to try.' }),
    competitors: t.field({ type: [triedCompetitor], description: 'Competitors to try.' }),
  })),
  resolve: async ({ db, warehouse, project }, { names, competitors }) => {
    const { previewReanalysis } = await import('../../imports/answers/preview.ts')
    return previewReanalysis(
      { db, warehouse },
      {
        projectId: project.id,
        maxAnswers: mostAnswers,
        names: (names ?? []).map((each) => ({
          ...each,
          competitorId: each.competitorId == null ? null : String(each.competitorId),
        })),
        competitors: competitors ?? [],
      },
    )
  },
})
