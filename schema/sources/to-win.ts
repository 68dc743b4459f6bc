import { sourceTypes } from '../../core/sites/source-types.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import {
  type RivalInSource,
  type SourcesToWinArgs,
  type SourceToWin,
  sourcesToWinOfMany,
} from '../../resolvers/sources/to-win.ts'
import { answersOfRow } from '../answers/edges.ts'
import { brandType } from '../brands/brand.ts'
import { brandOf } from '../brands/by-id.ts'
import { filterArgs, inGraph, windowArgs } from '../kit/args.ts'
import { readOfOwner, readOfProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { answerFilters, filterInput } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { wordsOf } from '../kit/words.ts'
import { domainBy, urlBy } from './objects.ts'
import { sourceDomain } from './sources.ts'
import { sourceUrl } from './urls.ts'
import { sourceType } from './words.ts'

const lostMeaning = 'A lost answer mentions a compared competitor and not the own brand.'

const rivalInSource = builder.objectRef<RivalInSource>('CompetitorInSource').implement({
  description: 'A competitor that lost answers mention which cite a source.',
  fields: (t) => ({
    brand: t.field({
      type: brandType,
      nullable: true,
      description: 'The competitor; null when it is no longer tracked.',
      resolve: ({ projectId, brandId }, _args, context) => brandOf(context, projectId, brandId),
    }),
    answerCount: t.expose('answers', {
      type: 'Int',
      description: 'Lost answers that cite the source and mention the competitor.',
    }),
  }),
})

const sourceToWin = builder.objectRef<SourceToWin>('SourceToWin').implement({
  description: `A domain or URL that lost answers cite: an entry for the own brand there may win them. ${lostMeaning}`,
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'Registrable domain of the source.' }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'The cited URL, normalised; null where the source is a domain.',
    }),
    type: t.expose('type', {
      type: sourceType,
      description: `Source type of the domain: ${sourceTypes.join(', ')}.`,
    }),
    lostAnswerCount: t.expose('lost', {
      type: 'Int',
      description: 'Lost answers in the window that cite the source.',
    }),
    promptCount: t.expose('prompts', {
      type: 'Int',
      description: 'Prompts with a lost answer that cites the source.',
    }),
    ownAnswerCount: t.expose('withOwn', {
      type: 'Int',
      description:
        'Answers in the window that cite the source and mention the own brand. 0 often means that the source does not.',
    }),
    competitors: t.field({
      type: [rivalInSource],
      description: 'Competitors that these lost answers mention, most answers first.',
      resolve: ({ rivals }) => [...rivals],
    }),
    sourceDomain: t.field({
      type: sourceDomain,
      nullable: true,
      access: readOfOwner,
      description: 'The domain with all its numbers, in all answers of the window.',
      resolve: async ({ projectId, domain, asked }, _args, context) =>
        domainBy(context, await scopeOf(context, projectId), domain, asked),
    }),
    sourceUrl: t.field({
      type: sourceUrl,
      nullable: true,
      access: readOfOwner,
      description: 'The URL with all its numbers; null where the source is a domain.',
      resolve: async ({ projectId, url, asked }, _args, context) =>
        url === null ? null : urlBy(context, await scopeOf(context, projectId), url, asked),
    }),
  }),
})

builder.objectField(sourceToWin, 'lostAnswers', (t) =>
  t.field(
    answersOfRow<SourceToWin>({
      description: `Lost answers that cite the source, newest first. ${lostMeaning}`,
      idOf: ({ domain, url }) => url ?? domain,
      askedOf: ({ lostIn }) => lostIn,
    }),
  ),
)

const sort = wordsOf('SourceToWinSort', 'The order of sources to win.', {
  answers_desc: 'Most lost answers first.',
  prompts_desc: 'Most prompts with a lost answer first.',
})

const texts = {
  competitorIds: 'Compares the own brand with these competitors only. Default: all.',
  sourceTypes: 'Only sources of these types.',
  domains: 'Only sources of these registrable domains.',
}

const own = builder.args((t) => ({
  competitorIds: t.idList({ description: texts.competitorIds }),
  sourceType: t.field({ type: [sourceType], description: texts.sourceTypes }),
  domains: t.stringList({ description: texts.domains }),
  sort: t.field({ type: sort, defaultValue: 'answers_desc', description: 'Order of the rows.' }),
}))

filterInput('SourceToWinFilter', {
  rows: 'Sources, and answers that cite them,',
  names: answerFilters,
  own: {
    competitorIds: (t) => t.idList({ description: texts.competitorIds }),
    sourceTypes: (t) => t.field({ type: [sourceType], description: texts.sourceTypes }),
    domains: (t) => t.stringList({ description: texts.domains }),
  },
})

const list = connectionOf<SourceToWin>(sourceToWin, {
  description: 'A page of sources to win.',
  isCounted: true,
})

const listBy = (by: SourcesToWinArgs['by'], description: string) =>
  connectionField({
    type: list,
    size: { default: 20, max: 200 },
    access: readOfProject,
    description: `${description} ${lostMeaning} Domains of the own brand and of competitors are left out.`,
    args: {
      ...windowArgs,
      ...filterArgs,
      ...inGraph({ competitorIds: own.competitorIds }, { filter: 'competitorIds' }),
      ...inGraph({ sourceType: own.sourceType }, { filter: 'sourceTypes' }),
      ...inGraph({ domains: own.domains }, { filter: 'domains' }),
      sort: own.sort,
    },
    scope: (scope: ProjectScope) => scope,
    resolve: async (_project: ProjectScope, given, _context, scope) => {
      const args = { ...given, by } as typeof given & SourcesToWinArgs
      return { rows: await batched('sources.to-win', scope, args, sourcesToWinOfMany) }
    },
  })

builder.objectFields('Project', (t) => ({
  domainsToWin: t.field(
    listBy('domain', 'Domains that lost answers cite, those of most lost answers first.'),
  ),
  urlsToWin: t.field(
    listBy('url', 'URLs that lost answers cite, those of most lost answers first.'),
  ),
}))
