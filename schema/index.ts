import './scalars.ts'
import './metric.ts'
import './projects.ts'
import './projects-rest.ts'
import './sources.ts'
import './visibility.ts'
import './visibility-prompts.ts'
import './share-of-voice.ts'
import './competitors.ts'
import './sentiment.ts'
import './answers.ts'
import './traffic.ts'
import './traffic-rest.ts'
import './traffic-attribution.ts'
import './correlation.ts'
import './prompts.ts'
import './prompts-writes.ts'
import './prompts-untracked.ts'
import './suggestions.ts'
import './fanout.ts'
import './ads.ts'
import './shopping.ts'
import './usage.ts'
import './connector.ts'
import './articles.ts'
import './domain-authority.ts'
import './pages.ts'
import './pages-traffic.ts'
import './sources-content.ts'
import './web-analytics.ts'
import './search-console.ts'
import './imports.ts'
import './imports-analytics.ts'
import './imports-content.ts'
import './prompts-import.ts'
import './analysis.ts'
import './shaping.ts'
import './shaping-brand.ts'
import './shaping-lists.ts'
import './shaping-workspace.ts'
import './shaping-members.ts'
import './shaping-ingest.ts'
import './shaping-trail.ts'
import { builder } from './builder.ts'
import { viewOf } from './views.ts'

builder.queryType({ description: 'What can be asked.' })
builder.mutationType({ description: 'What can be changed.' })

const schema = builder.toSchema({ sortSchema: false })

/** What GraphQL clients see. */
export const publicSchema = viewOf(schema, 'graph')

/** What REST is generated from. */
export const restSchema = viewOf(schema, 'rest')

export { admit } from './admit.ts'
