import type { Evidence } from '../../resolvers/opportunities/opportunities.ts'
import { issueType } from '../issues/issue.ts'
import { builder } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { brandLoaders, competitorType } from '../projects/tracked-brands.ts'
import { promptLoaders, promptType } from '../prompts/prompt.ts'
import { topicType } from '../topics/topics.ts'
import { issueLoader } from './issue-loader.ts'

/** Evidence is of one kind each: a client knows by the type which object the count belongs to. */

type OfProject = Evidence & { readonly projectId: string }

function kindOf({
  promptId,
  topicId,
  competitorId,
  issueId,
  platform,
  domain,
  url,
  query,
}: Evidence): string {
  if (competitorId !== undefined) return 'CompetitorEvidence'
  if (issueId !== undefined) return 'IssueEvidence'
  if (promptId !== undefined) return 'PromptEvidence'
  if (topicId !== undefined) return 'TopicEvidence'
  if (platform !== undefined) return 'PlatformEvidence'
  if (url !== undefined) return 'PageEvidence'
  if (domain !== undefined) return 'DomainEvidence'
  return query === undefined ? 'TotalEvidence' : 'QueryEvidence'
}

export const opportunityEvidence = builder
  .interfaceRef<OfProject>('OpportunityEvidence')
  .implement({
    description:
      'A count behind an opportunity. Its type says which object the count belongs to, such as a prompt or a page.',
    resolveType: kindOf,
    fields: (t) => ({
      label: t.exposeString('label', { description: 'Meaning of the count, in words.' }),
      count: t.exposeFloat('count', { description: 'The counted number, such as answers.' }),
    }),
  })

const evidenceOf = (name: string, description: string) => ({
  ref: builder.objectRef<OfProject>(name),
  shared: { description, interfaces: [opportunityEvidence] },
})

const ofPrompt = evidenceOf('PromptEvidence', 'A count of answers to one prompt.')
ofPrompt.ref.implement({
  ...ofPrompt.shared,
  fields: (t) => ({
    prompt: t.field({
      type: promptType,
      nullable: true,
      description: 'Prompt whose answers are counted; null when the prompt no longer exists.',
      resolve: ({ promptId = '' }, _args, context) => promptLoaders(context).prompt.load(promptId),
    }),
  }),
})

const ofCompetitor = evidenceOf(
  'CompetitorEvidence',
  'A count of answers that name one competitor.',
)
ofCompetitor.ref.implement({
  ...ofCompetitor.shared,
  fields: (t) => ({
    competitor: t.field({
      type: competitorType,
      nullable: true,
      description: 'Competitor that the answers name; null when it is no longer tracked.',
      resolve: async ({ projectId, competitorId }, _args, context) => {
        const competitors = await brandLoaders(context).competitors.load(projectId)
        return competitors.find(({ id }) => id === competitorId) ?? null
      },
    }),
    prompt: t.field({
      type: promptType,
      nullable: true,
      description: 'Prompt whose answers are counted; null where answers to all prompts are.',
      resolve: ({ promptId }, _args, context) =>
        promptId === undefined ? null : promptLoaders(context).prompt.load(promptId),
    }),
  }),
})

const ofTopic = evidenceOf('TopicEvidence', 'A count of answers to prompts of one topic.')
ofTopic.ref.implement({
  ...ofTopic.shared,
  fields: (t) => ({
    topic: t.field({
      type: topicType,
      nullable: true,
      description: 'Topic whose answers are counted; null when the topic no longer exists.',
      resolve: async ({ projectId, topicId }, _args, context) => {
        const topics = await loaders(context).topics.load(projectId)
        return topics.find(({ id }) => id === topicId) ?? null
      },
    }),
  }),
})

const pageOfEvidence = {
  type: pageType,
  nullable: true as const,
  description: 'Page of the site at `url`; null for an unknown page.',
}

const ofIssue = evidenceOf('IssueEvidence', 'An issue that was counted.')
ofIssue.ref.implement({
  ...ofIssue.shared,
  fields: (t) => ({
    issue: t.field({
      type: issueType,
      nullable: true,
      description: 'Issue that is counted; null when the issue no longer exists.',
      resolve: ({ issueId = '' }, _args, context) => issueLoader(context).load(issueId),
    }),
    url: t.string({
      description: 'URL of the page with the issue; empty for an issue of the whole site.',
      resolve: ({ url = '' }) => url,
    }),
    page: t.field({
      ...pageOfEvidence,
      resolve: ({ projectId, url = '' }, _args, context) =>
        pageLoaders(context).byUrl.load({ projectId, url }),
    }),
  }),
})

const ofPlatform = evidenceOf('PlatformEvidence', 'A count of answers of one AI platform.')
/** `projects/rows.ts` adds the platform. */
export const platformEvidence = ofPlatform.ref.implement({ ...ofPlatform.shared })

const ofPage = evidenceOf('PageEvidence', 'A count that belongs to one page.')
ofPage.ref.implement({
  ...ofPage.shared,
  fields: (t) => ({
    url: t.string({
      description: 'URL of the counted page.',
      resolve: ({ url = '' }) => url,
    }),
    page: t.field({
      ...pageOfEvidence,
      resolve: ({ projectId, url = '' }, _args, context) =>
        pageLoaders(context).byUrl.load({ projectId, url }),
    }),
  }),
})

const ofDomain = evidenceOf('DomainEvidence', 'A count of answers that cite one domain.')
ofDomain.ref.implement({
  ...ofDomain.shared,
  fields: (t) => ({
    domain: t.string({
      description: 'Registrable domain that the answers cite.',
      resolve: ({ domain = '' }) => domain,
    }),
  }),
})

const ofQuery = evidenceOf('QueryEvidence', 'A count that belongs to one search.')
ofQuery.ref.implement({
  ...ofQuery.shared,
  fields: (t) => ({
    query: t.string({
      description: 'Text that AI assistants or people searched for.',
      resolve: ({ query = '' }) => query,
    }),
  }),
})

const ofTotal = evidenceOf('TotalEvidence', 'A count that belongs to no single object.')
ofTotal.ref.implement({ ...ofTotal.shared })
