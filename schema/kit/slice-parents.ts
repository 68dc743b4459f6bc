import { citedUrl } from '../../core/sites/cited-url.ts'
import type { Slice } from '../../resolvers/shared/scope.ts'
import { madeTypes } from './made-for.ts'

/** An object that has answers. Its type says which of the keys identifies it. */
export interface SliceOwner {
  readonly projectId: string
  readonly id?: string
  readonly url?: string
  readonly domain?: string
  readonly query?: string
}

/** A type whose objects have answers, and what their slice is. */
export interface SliceParent {
  readonly type: SliceType | 'Brand'
  /** The word for an object that was made for a window, and hands it to its fields. */
  readonly made?: string
  /** The answers of an object in words, such as "answers that name the brand". */
  readonly answers: string
  readonly by: Slice['by']
  /** What identifies an object in its project. */
  readonly key: Exclude<keyof SliceOwner, 'projectId'>
}

/** The types whose objects are slices of a project, or have a set of answers. */
export const sliceParents = {
  topic: { type: 'Topic', answers: 'answers to prompts of the topic', by: 'topic', key: 'id' },
  prompt: { type: 'Prompt', answers: 'answers to the prompt', by: 'prompt', key: 'id' },
  platform: { type: 'Platform', answers: 'answers of the AI platform', by: 'platform', key: 'id' },
  location: {
    type: 'Location',
    answers: 'answers collected at the location',
    by: 'location',
    key: 'id',
  },
  brand: { type: 'Brand', answers: 'answers that name the brand', by: 'brand', key: 'id' },
  page: { type: 'Page', answers: 'answers that cite the page', by: 'url', key: 'url' },
  sourceUrl: {
    type: 'SourceUrl',
    made: madeTypes.SourceUrl,
    answers: 'answers that cite the URL',
    by: 'url',
    key: 'url',
  },
  sourceDomain: {
    type: 'SourceDomain',
    made: madeTypes.SourceDomain,
    answers: 'answers that cite the domain',
    by: 'domain',
    key: 'domain',
  },
  fanoutQuery: {
    type: 'FanoutQuery',
    made: madeTypes.FanoutQuery,
    answers: 'answers with the sub-query',
    by: 'query',
    key: 'query',
  },
} as const satisfies Record<string, { readonly type: string } & Omit<SliceParent, 'type'>>

/** The objects, without the interface that some of them have. */
export type SliceType = Exclude<(typeof sliceParents)[keyof typeof sliceParents]['type'], 'Brand'>

/** The types that have the reports of a project, over their own answers. */
export const reportParents = ['topic', 'prompt', 'platform', 'location', 'page'] as const
export type ReportParent = (typeof reportParents)[number]

/** The slice of an object. */
export function sliceOf({ type, by, key }: SliceParent, owner: SliceOwner): Slice {
  const id = owner[key]
  if (id === undefined) throw new Error(`A ${type} has no \`${key}\``)
  return { by, id: by === 'url' ? (citedUrl(id) ?? id) : id }
}
