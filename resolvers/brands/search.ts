import { namedHits } from '../shared/search.ts'
import { brandHits } from './search.sql.ts'

/** The own brand and competitors by name, alias or domain. */
export const searchBrands = namedHits(brandHits)
