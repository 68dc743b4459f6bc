import type { AskedProvider } from './providers/request.ts'
import { isSurface } from './providers/search/google.ts'
import { isService, surfacePlatforms } from './providers/surfaces/names.ts'

/** How an answer was obtained: from a page as people see it, from the API of a model, or from a file. */
export const waysToObtain = ['surface', 'api', 'imported'] as const
export type Obtained = (typeof waysToObtain)[number]

/**
 * The platforms that an answer of a run counts for where it was read from a page: runs ask no API for any of them, so
 * that platform and import of an answer say how it was obtained.
 */
export const platformsOfSurfaces: readonly string[] = Object.values(surfacePlatforms)

/** The platforms of surfaces that an API answers for too, each with the platform of the API. */
export const platformsWithApi: Readonly<Record<string, string>> = {
  [surfacePlatforms.chatgpt]: 'chatgpt',
  [surfacePlatforms.gemini]: 'gemini',
  [surfacePlatforms.perplexity]: 'perplexity',
}

/** How an answer of a provider key was obtained. */
export function obtainedFrom(
  provider: AskedProvider,
  model: string,
): Exclude<Obtained, 'imported'> {
  const sellsPages = provider === 'dataforseo' || provider === 'serpapi'
  return isService(provider) || (sellsPages && isSurface(model)) ? 'surface' : 'api'
}
