import { type Ratio, share } from '../../core/metrics.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { askedOf } from '../shared/asked.ts'
import { batched } from '../shared/batch.ts'
import { mostFirst } from '../shared/count-map.ts'
import { type FilterArgs, readFilters } from '../shared/filters.ts'
import { type PageSelection, readMany } from '../shared/many.ts'
import { requireFeature } from '../shared/plan.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { productPage, shoppingCounts } from './shopping.sql.ts'

export interface ShoppingArgs
  extends WindowArgs,
    PageArgs,
    Pick<FilterArgs, 'platform' | 'obtained'> {}

export interface ShoppingCounts extends InCell {
  /** Selected answers. */
  readonly responses: number
  /** Answers checked for products. */
  readonly measured: number
  /** Answers that show a product. */
  readonly withProducts: number
  /** Distinct products. */
  readonly products: number
}

/** 100 · answers that show a product ⁄ answers checked for products. */
export function activationRate({ measured, withProducts }: ShoppingCounts): Ratio {
  return share(withProducts, measured)
}

export interface ShoppingProduct {
  readonly projectId: string
  readonly id: string
  /** The most frequent spelling; the brand's too. */
  readonly name: string
  /** Null when answers name no brand. */
  readonly brand: string | null
  /** Answers that show the product. */
  readonly mentionCount: number
  /** Rank by answers, from 1; ties by name, then by id. */
  readonly rank: number
  /** Ids of platforms that show the product, most answers first. */
  readonly platforms: readonly string[]
}

/** A product as statements return it. */
export interface ProductFacts extends Omit<ShoppingProduct, 'platforms'> {
  readonly brand: string
  readonly platforms: Record<string, number>
}

export function productOf({ brand, platforms, ...product }: ProductFacts): ShoppingProduct {
  const { projectId, id, name, mentionCount, rank } = product
  const shown = mostFirst(platforms)
  return { projectId, id, name, brand: brand || null, mentionCount, rank, platforms: shown }
}

const nothing: ShoppingCounts = { responses: 0, measured: 0, withProducts: 0, products: 0 }

/** Counts of several projects: answers checked for products, answers with a product, products. */
async function shoppingCountsOfMany(
  scopes: readonly ProjectScope[],
  selection: PageSelection,
): Promise<(ShoppingCounts | Error)[]> {
  const found = await readMany<ShoppingCounts & { projectId: string }>(scopes, selection, {
    id: 'shopping.summary',
    list: 'shopping',
    sql: shoppingCounts,
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const cell = wholeCell(scope.project.id, askedOf(scope, selection, selection))
    return { ...(rows[0] ?? nothing), cell }
  })
}

/** A page of products per project, most answers first. */
async function productsOfMany(
  scopes: readonly ProjectScope[],
  selection: PageSelection,
): Promise<(readonly ShoppingProduct[] | Error)[]> {
  const { limit, offset } = selection
  const found = await readMany<ProductFacts>(scopes, selection, {
    id: 'shopping.products',
    list: 'shopping',
    sql: productPage,
    params: { limit, offset },
  })
  return found.map((rows) => (rows instanceof Error ? rows : rows.map(productOf)))
}

/** The fix when no selected answer was checked for products. */
export const shoppingHowToFix =
  'No answer in scope says which products it shows. Import answers with the field `products` (an empty list where there are none), or select a longer window or other platforms.'

/**
 * The products that answers show.
 * @throws {Fault} as `readFilters` does; then, when data is available, `plan_upgrade_required` on a plan without
 *   shopping analytics
 */
export async function shopping(scope: ProjectScope, args: ShoppingArgs) {
  const { platform, obtained, limit, offset } = args
  const range = resolveWindow(args, yearWindow, scope.now)
  await readFilters(scope, { platform, obtained })
  const selection: PageSelection = { ...range, platform, obtained, limit, offset }
  const counts = await batched('shopping.summary', scope, selection, shoppingCountsOfMany)
  const available = counts.measured > 0
  if (available) requireFeature(scope.project.plan, 'shopping')
  return {
    scope,
    available,
    dateRange: range,
    counts: available ? counts : null,
    products: async () =>
      available ? batched('shopping.products', scope, selection, productsOfMany) : [],
  }
}

export type ShoppingReport = Awaited<ReturnType<typeof shopping>>
