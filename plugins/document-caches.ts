import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/**
 * Bytes of documents that are kept. By measurement, a parsed document takes 83 times as much memory, and a compiled one
 * 300 times more: some 100 MB at most.
 */
const keptDocumentBytes = 256 * 1024

/** For Yoga: the parsed documents that came before, and the errors of others, by their text. */
export function documentCaches() {
  const bounded = <Kept extends object>() =>
    new LRUCache<string, Kept>({
      max: 1024,
      maxSize: keptDocumentBytes,
      sizeCalculation: (_kept, text) => Math.max(1, text.length),
    })
  return { documentCache: bounded<DocumentNode>(), errorCache: bounded<Error>() }
}
