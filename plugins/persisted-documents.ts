import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations'
import type { DocumentNode } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { Fault, fieldFault, invalid } from '../core/errors.ts'
import { withGot } from '../core/rule-text.ts'
import { comparable, type DocumentList, hashOf } from './document-list.ts'

export interface PersistedDocuments {
  readonly documents: DocumentList
  /** Whether the service refuses all other documents. */
  readonly listedOnly: boolean
}

/** The id of a document, with the parameter that holds the id. */
interface DocumentId {
  readonly parameter: string
  readonly value: unknown
}

type Params = GraphQLParams & { readonly documentId?: unknown }

/**
 * The id of a request: `documentId` of GraphQL over HTTP, or Apollo's `extensions.persistedQuery`. Yoga reads no
 * `documentId` from an address.
 */
function documentIdOf(params: Params, request: Request): DocumentId | undefined {
  const inAddress =
    request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : null
  const value = params.documentId ?? inAddress
  if (value !== null) return { parameter: 'documentId', value }
  const persisted: unknown = params.extensions?.persistedQuery
  if (persisted === undefined || persisted === null) return undefined
  const { sha256Hash } = persisted as { sha256Hash?: unknown }
  return { parameter: 'extensions.persistedQuery.sha256Hash', value: sha256Hash ?? null }
}

/** The text of the listed document that a request names; undefined where it names none. */
export function listedText(
  { byHash }: DocumentList,
  params: GraphQLParams,
  request: Request,
): string | undefined {
  const { value } = documentIdOf(params, request) ?? {}
  const hash = typeof value === 'string' ? hashOf(value) : undefined
  return hash === undefined ? undefined : byHash.get(hash)
}

/** Puts the text of a listed document in the place of its id. The request goes on as any other. */
function useDocumentIds({ byHash }: DocumentList): Plugin {
  return usePersistedOperations({
    allowArbitraryOperations: true,
    extractPersistedOperationId(params, request) {
      const id = documentIdOf(params, request)
      if (!id) return null
      const hash = typeof id.value === 'string' ? hashOf(id.value) : undefined
      if (hash !== undefined) return hash
      throw invalid(id.parameter, 'must be the SHA-256 of a document, as `sha256:…`', id.value)
    },
    getPersistedOperation: (hash) => byHash.get(hash) ?? null,
    customErrors: {
      notFound({ params, request }) {
        const { parameter = '', value } = documentIdOf(params, request) ?? {}
        return fieldFault('unknown_document', parameter, withGot('names no listed document', value))
      },
      keyNotFound: () => invalid('query', 'is required, or the `documentId` of a listed document'),
    },
  })
}

function useOneDocument(): Plugin {
  return {
    onParams({ params, request }) {
      if (params.query && documentIdOf(params, request)?.parameter === 'documentId') {
        throw invalid('documentId', 'must not come together with `query`')
      }
    },
  }
}

/** Refuses documents that are not listed, also when they come as text. */
function useListedOnly(documents: DocumentList): Plugin {
  const isListed = new WeakMap<DocumentNode, boolean>()
  return {
    onParse() {
      return ({ result }) => {
        if (result === null || result instanceof Error) return
        const document = result as DocumentNode
        const listed = isListed.get(document) ?? documents.comparable.has(comparable(document))
        isListed.set(document, listed)
        if (listed) return
        throw new Fault('document_not_listed', 'The service runs listed documents only.')
      }
    },
  }
}

/** Documents by their hash, in both forms that clients send. */
export function usePersistedDocuments({ documents, listedOnly }: PersistedDocuments): Plugin[] {
  const byId = [useOneDocument(), useDocumentIds(documents)]
  return listedOnly ? [...byId, useListedOnly(documents)] : byId
}
