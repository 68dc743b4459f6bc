import type { OpportunityWaysFragment } from '../../documents.ts'
import type { PageLinkProps } from '../../parts/links.tsx'
import type { AddressState } from '../../state/address.ts'
import { t } from '../../texts/texts.ts'

const { opportunities: texts } = t

type Evidenced = OpportunityWaysFragment['evidence'][number]

/** What a row of the evidence counts; which of it there is depends on the kind of the row. */
export function subjectOf(row: Evidenced) {
  return {
    prompt: 'prompt' in row ? row.prompt : null,
    url: 'url' in row ? row.url : null,
    page: 'page' in row ? row.page : null,
    issue: 'issue' in row ? row.issue : null,
    query: 'query' in row ? row.query : null,
    domain: 'domain' in row ? row.domain : null,
    platform: 'platform' in row ? row.platform : null,
    topic: 'topic' in row ? row.topic : null,
  }
}

type Way = readonly [label: string, to: PageLinkProps['to'], own?: AddressState]

const fixes: readonly string[] = ['fix_page', 'fix_pages', 'fix_site', 'allow_crawler']

/** The pages of the dashboard that show what to work on, the closest first. */
export function waysOf({ actionType, rule, evidence }: OpportunityWaysFragment): Way[] {
  const subjects = evidence.map(subjectOf)
  const first = <Key extends keyof (typeof subjects)[number]>(key: Key) =>
    subjects.map((each) => each[key]).find(Boolean)
  const issue = first('issue')
  const page = first('page')
  const prompt = first('prompt')
  const domain = first('domain')
  const query = first('query')
  const platform = first('platform')
  const topic = first('topic')
  const ways: (Way | false | '' | null | undefined)[] = [
    fixes.includes(actionType) && [
      texts.openIssues,
      ['site-audit'],
      issue ? { check: issue.type } : {},
    ],
    page && [texts.openPage, ['ai-traffic', page.id]],
    domain && [texts.openSource, ['sources', domain]],
    prompt && !domain && !topic && !platform && [texts.openPrompt, ['prompts', prompt.id]],
    topic && [texts.openPrompts, ['prompts'], { topics: topic.id }],
    domain && [texts.openAnswers, ['answers'], { domain }],
    // What people search for, no answer need have searched for.
    query && rule !== 'search_demand' && [texts.openAnswers, ['answers'], { query }],
    platform && [texts.openAnswers, ['answers'], { platforms: platform.slug }],
  ]
  return ways.filter((way): way is Way => Boolean(way))
}
