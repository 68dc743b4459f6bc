import './kit/scalars.ts'
import './kit/metric.ts'
import './projects/projects.ts'
import './projects/rest.ts'
import './sources/sources.ts'
import './sources/urls.ts'
import './sources/summaries.ts'
import './visibility/visibility.ts'
import './visibility/breakdowns.ts'
import './visibility/prompts.ts'
import './share-of-voice.ts'
import './competitors/competitors.ts'
import './sentiment.ts'
import './answers.ts'
import './traffic/traffic.ts'
import './traffic/rest.ts'
import './traffic/attribution.ts'
import './correlation.ts'
import './prompts/prompts.ts'
import './prompts/writes.ts'
import './prompts/untracked.ts'
import './suggestions.ts'
import './fanout.ts'
import './ads.ts'
import './shopping.ts'
import './usage.ts'
import './connector.ts'
import './articles/articles.ts'
import './domain-authority.ts'
import './pages/pages.ts'
import './pages/traffic.ts'
import './sources/content.ts'
import './web-analytics.ts'
import './search-console.ts'
import './imports/answers.ts'
import './imports/analytics.ts'
import './imports/content.ts'
import './imports/prompts.ts'
import './analysis.ts'
import './projects/change.ts'
import './competitors/change.ts'
import './topics.ts'
import './workspaces.ts'
import './members.ts'
import './connections.ts'
import './audit-trail.ts'
import { builder } from './kit/builder.ts'
import { viewOf } from './kit/views.ts'

builder.queryType({ description: 'What can be asked.' })
builder.mutationType({ description: 'What can be changed.' })

const schema = builder.toSchema({ sortSchema: false })

/** What GraphQL clients see. */
export const publicSchema = viewOf(schema, 'graph')

/** What REST is generated from. */
export const restSchema = viewOf(schema, 'rest')

export { admit } from './kit/authorize.ts'
