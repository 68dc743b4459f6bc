import type { AskedProvider } from '../providers/request.ts'
import { isSurface } from '../providers/search/google.ts'
import { isService } from '../providers/surfaces/names.ts'

/** How an answer was obtained: from a page as people see it, from the API of a model, or from a file. */
export type Obtained = 'surface' | 'api' | 'imported'

/** How an answer of a provider key was obtained. */
export function obtainedFrom(
  provider: AskedProvider,
  model: string,
): Exclude<Obtained, 'imported'> {
  const sellsPages = provider === 'dataforseo' || provider === 'serpapi'
  return isService(provider) || (sellsPages && isSurface(model)) ? 'surface' : 'api'
}
