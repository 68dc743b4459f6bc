import { effectMetrics, levelBounds } from '../../core/opportunities/effect.ts'
import { outcomeMetrics } from '../../core/opportunities/outcome.ts'
import { type RuleId, ruleIds, rules } from '../../core/opportunities/rules.ts'
import { wordsOf } from '../kit/words.ts'

export const opportunitySource = wordsOf(
  'OpportunitySource',
  'The kind of facts that the rule of an opportunity reads.',
  {
    competitors: 'Answers that name competitors.',
    sources: 'Domains and pages that answers cite.',
    fanout: 'Sub-queries that platforms search for.',
    traffic: 'Hits of AI crawlers on the site.',
    audits: 'Issues that audits found.',
    visibility: 'Answers that name the own brand.',
    sentiment: 'The tone of answers about the own brand.',
    search: 'Clicks and positions in web search.',
  },
)

export const opportunityScope = wordsOf('OpportunityScope', 'What an opportunity is about.', {
  prompt: 'One prompt.',
  domain: 'One domain that answers cite.',
  topic: 'One topic.',
  page: 'One page of the site.',
  site: 'The site.',
  platform: 'One AI platform.',
})

export const opportunityAction = wordsOf('OpportunityAction', 'What to do about an opportunity.', {
  create_page: 'Write a page.',
  improve_page: 'Improve a page.',
  get_listed: 'Get named on a page or a site of others.',
  track_prompt: 'Track a prompt.',
  fix_page: 'Fix an issue of one page.',
  fix_pages: 'Fix an issue of several pages.',
  fix_site: 'Fix an issue of the site.',
  allow_crawler: 'Let an AI crawler read the site.',
  investigate: 'Find out why numbers changed.',
})

export const opportunityCategory = wordsOf(
  'OpportunityCategory',
  'The kind of work that an opportunity asks for.',
  {
    content: 'Writing or improving a page.',
    outreach: 'Getting named on sites of others.',
    prompts: 'Tracking other prompts.',
    technical: 'Fixing an issue that lowers the technical score.',
    aiReadiness: 'Fixing an issue that keeps AI assistants from reading pages well.',
  },
)

export const opportunitySort = wordsOf('OpportunitySort', 'The order of opportunities.', {
  effect: 'The largest expected effect first, then the least effort.',
  score: 'Highest impact first, then highest score.',
  newest: 'Highest impact first, then newest, as REST has them.',
})

export const opportunityEffort = wordsOf('OpportunityEffort', 'How much work an action is.', {
  low: 'Minutes: a setting, a prompt, a fix of markup.',
  medium: 'Hours: improving a page, or finding out why a number moved.',
  high: 'Days: writing a page, or getting named on sites of others.',
})

export const effectMetric = wordsOf(
  'OpportunityEffectMetric',
  'The number that an opportunity can move, and what its value counts.',
  effectMetrics,
)

export const effectLevel = wordsOf(
  'OpportunityEffectLevel',
  'How large the expected effect of an opportunity is.',
  {
    high: `A change of ${levelBounds.high} % of the answers of a month or more.`,
    medium: `A change of ${levelBounds.medium} % of them or more.`,
    low: 'A change of fewer answers.',
  },
)

export const outcomeMetric = wordsOf(
  'OpportunityOutcomeMetric',
  'The number by which an opportunity is judged.',
  outcomeMetrics,
)

export const opportunityRule = wordsOf(
  'OpportunityRule',
  'The rules that find opportunities.',
  Object.fromEntries(ruleIds.map((id) => [id, rules[id].holds])) as Record<RuleId, string>,
)
