import { invalid } from '../../core/errors.ts'
import { inTurn } from '../../core/in-turn.ts'
import { nodeIdOf } from '../../core/node-id.ts'
import { lastDaysOf, resolveWindow, yearWindow } from '../../core/window.ts'
import { searchAnswers } from '../../resolvers/answers/search.ts'
import { searchBrands } from '../../resolvers/brands/search.ts'
import { dataDays } from '../../resolvers/projects/data-days.ts'
import { searchPrompts } from '../../resolvers/prompts/search.ts'
import { type Asked, askedOf } from '../../resolvers/shared/asked.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { searchTerms } from '../../resolvers/shared/narrowing.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { Hit, Search } from '../../resolvers/shared/search.ts'
import { searchPages, searchSources } from '../../resolvers/sources/search.ts'
import { searchTopics } from '../../resolvers/topics/search.ts'
import { keyAsked } from '../kit/asked.ts'
import { readOfOwner, readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { wordsOf } from '../kit/words.ts'
import { findNode, node } from '../nodes.ts'
import { promptOf } from '../prompts/prompt.ts'

/** In the order in which results take turns. */
const finders = {
  brand: searchBrands,
  topic: searchTopics,
  prompt: searchPrompts,
  source: searchSources,
  page: searchPages,
  answer: searchAnswers,
} as const satisfies Record<string, (search: Search) => Promise<Hit[]>>

type SearchKind = keyof typeof finders
const searchKinds = Object.keys(finders) as SearchKind[]

interface SearchResult extends Hit {
  readonly projectId: string
  readonly kind: SearchKind
  /** The days whose numbers a source or a page has. */
  readonly asked: Asked
}

const searchKind = wordsOf<SearchKind>('SearchKind', 'What a search finds.', {
  brand: 'The own brand or a competitor, by name, alias or domain.',
  topic: 'A topic, by name.',
  prompt: 'A prompt, by text.',
  source: 'A domain that answers cite.',
  page: 'A URL that answers cite, by address or title.',
  answer: 'An answer, by text.',
})

/** The key of what was found, in the ids of its type. */
function nodeIdOfResult({ projectId, kind, key, asked }: SearchResult): string {
  const of = (type: string, name = key) => nodeIdOf(type, projectId, name)
  if (kind === 'brand') return of(key === projectId ? 'OwnBrand' : 'Competitor')
  if (kind === 'source') return of('SourceDomain', keyAsked(key, asked))
  if (kind === 'page') return of('SourceUrl', keyAsked(key, asked))
  return of({ topic: 'Topic', prompt: 'Prompt', answer: 'Answer' }[kind])
}

const searchResult = builder.objectRef<SearchResult>('SearchResult').implement({
  description: 'Something that has all words of a search.',
  fields: (t) => ({
    kind: t.field({
      type: searchKind,
      description: 'Kind of the object that was found.',
      resolve: ({ kind }) => kind,
    }),
    key: t.exposeString('key', {
      description:
        'The `id` of a brand, a topic, a prompt or an answer; the domain of a source, the URL of a page.',
    }),
    title: t.string({
      resolve: async ({ title, promptId }, _args, context) =>
        promptId === undefined ? title : (await promptOf(context, promptId)).text,
      description:
        'Name of a brand or a topic, text of a prompt, domain of a source, title of a page; of an answer the text of its prompt.',
    }),
    snippet: t.exposeString('snippet', {
      nullable: true,
      description:
        'At most 300 characters around the words: of an answer its text, of a page its URL. Null for other kinds, whose title has the words.',
    }),
    objectId: t.id({
      description: 'The `nodeId` of the object that was found, for `node(id:)`.',
      resolve: nodeIdOfResult,
    }),
    node: t.field({
      type: node,
      nullable: true,
      view: 'graph',
      access: readOfOwner,
      description: 'The object that was found; null when it has gone since.',
      resolve: (result, _args, context) => findNode(context, nodeIdOfResult(result), 'nodeId'),
    }),
  }),
})

/** The year that ends with the newest answer, so that an import of earlier answers is searched too. */
async function yearOf(scope: ProjectScope) {
  const { maxDays } = yearWindow
  const days = await batched('dataDays', scope, { of: 'answers' as const }, dataDays)
  return days ? lastDaysOf(days, maxDays) : resolveWindow({ days: maxDays }, yearWindow, scope.now)
}

builder.objectField('Project', 'search', (t) =>
  t.field({
    type: [searchResult],
    nullable: true,
    view: 'graph',
    access: readOfProject,
    description:
      'What has all words of a query, in any case: brands, topics and prompts, and of the 365 days before the newest answer cited domains, cited URLs and answers. The kinds take turns; within a kind the most cited or the newest come first.',
    args: {
      query: t.arg.string({
        required: true,
        description: 'Words and "phrases", at most 10, in any order.',
      }),
      kinds: t.arg({
        type: [searchKind],
        description: 'Only results of these kinds; of all kinds when absent.',
      }),
      first: t.arg({
        type: 'Int',
        description: 'How many results.',
        extensions: { param: { min: 1, max: 50, clamp: true, default: 10 } },
      }),
    },
    resolve: async (scope: ProjectScope, { query, kinds, first }) => {
      if (query.includes('\0')) throw invalid('query', 'must not contain a NUL character')
      const range = await yearOf(scope)
      const search = { scope, query, terms: searchTerms(query, 'query'), first: first ?? 10, range }
      const { project } = scope
      const asked = askedOf(scope, range, {})
      const found = await Promise.all(
        searchKinds
          .filter((kind) => !kinds || kinds.includes(kind))
          .map(async (kind): Promise<SearchResult[]> => {
            const hits = await finders[kind](search)
            return hits.map((hit) => ({ projectId: project.id, kind, asked, ...hit }))
          }),
      )
      // Many answers leave room for the one brand that is meant.
      return inTurn(found).slice(0, search.first)
    },
  }),
)
