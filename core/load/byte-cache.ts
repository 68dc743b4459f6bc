import { LRUCache } from 'lru-cache'

const dayMs = 24 * 3600 * 1000
/** What an entry takes beside its body and its name. */
const entryBytes = 1000
/** One body takes at most this share of the memory. */
const largestShare = 16

/**
 * A cache of bodies by name, bounded in bytes. The least recently used ones go.
 * @param bytesOf the bytes of a body
 */
export function byteCache<Body extends object>(maxBytes: number, bytesOf: (body: Body) => number) {
  return new LRUCache<string, Body>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / largestShare),
    sizeCalculation: (body, name) => bytesOf(body) + name.length + entryBytes,
  })
}

/** The number of the UTC day: windows end on the day of a request, so names of body bodies begin with it. */
export const cacheDay = (): number => Math.floor(Date.now() / dayMs)
