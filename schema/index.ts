import './scalars.ts'
import './metric.ts'
import './projects.ts'
import './projects-rest.ts'
import './sources.ts'
import './visibility.ts'
import './share-of-voice.ts'
import './competitors.ts'
import './sentiment.ts'
import './answers.ts'
import './imports.ts'
import './analysis.ts'
import './shaping.ts'
import './shaping-brand.ts'
import './shaping-lists.ts'
import './shaping-workspace.ts'
import './shaping-members.ts'
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
