import { notFound } from '../../core/errors.ts'
import { fingerprint, type PageArgs } from '../../core/pagination.ts'
import { parsePrice } from '../../core/prices.ts'
import { isUuid } from '../../core/uuid.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, type Filters, readFilters } from '../shared/filters.ts'
import { filterMeaning } from '../shared/lists/meaning.ts'
import { pageSnapshot } from '../shared/lists/snapshot.ts'
import { requireFeature } from '../shared/plan.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { lastNamed, oneProduct, productMentions } from './shopping.sql.ts'
import { type ProductFacts, productOf, type ShoppingProduct } from './shopping.ts'

export interface ShoppingProductArgs
  extends WindowArgs,
    PageArgs,
    Pick<FilterArgs, 'platform' | 'obtained'> {
  productId: string
}

/** A product; its rank is null when no selected answer shows it. */
export type ProductDetail = Omit<ShoppingProduct, 'rank'> & { readonly rank: number | null }

export interface ProductMention {
  readonly projectId: string
  /** UTC day. */
  readonly date: string
  readonly platform: string
  readonly promptId: string
  /** Position among the products of the answer, from 1. */
  readonly rank: number
  readonly price: number | null
  /** ISO 4217. */
  readonly currency: string | null
}

const allDays: DateRange = { from: '1980-01-01', to: '2147-12-31' }

/** Reads rows of the product, from the answers in the range that pass the filters. */
type ReadRows = <Row extends object>(
  id: string,
  sql: (facts: string) => string,
  within?: { range: DateRange; filters: Filters },
) => Promise<Row[]>

/** @throws {Fault} `not_found` for a product that no answer of the project shows */
async function detailOf(
  read: ReadRows,
  { projectId, id }: { readonly projectId: string; readonly id: string },
  everything: Filters,
): Promise<ProductDetail> {
  const [shown] = await read<Omit<ProductFacts, 'projectId'>>('shopping.product', oneProduct)
  if (shown) return productOf({ projectId, ...shown })
  const [named] = await read<Pick<ProductFacts, 'name' | 'brand'>>('shopping.named', lastNamed, {
    range: allDays,
    filters: everything,
  })
  if (!named) throw notFound(id)
  const unshown = { projectId, ...named, id, mentionCount: 0, rank: 0, platforms: {} }
  return { ...productOf(unshown), rank: null }
}

type MentionFacts = Omit<ProductMention, 'projectId' | 'price' | 'currency'> & {
  readonly priceText: string
}

function mentionOf(projectId: string, { priceText, ...mention }: MentionFacts): ProductMention {
  const { amount = null, currency = null } = parsePrice(priceText) ?? {}
  return { projectId, ...mention, price: amount, currency }
}

/**
 * One product, with a page of the answers that show it, newest first.
 * @throws {Fault} as `readFilters` does; `not_found` for a product of another project; then, when data is available,
 *   `plan_upgrade_required` on a plan without shopping analytics
 */
export async function shoppingProduct(scope: ProjectScope, args: ShoppingProductArgs) {
  const { platform, obtained, limit, offset } = args
  const { id: projectId } = scope.project
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, { platform, obtained })
  if (!isUuid(args.productId)) throw notFound(args.productId)
  const id = args.productId.toLowerCase()
  const list = fingerprint('shopping.product', {
    ...range,
    ...filterMeaning({ platform, obtained }),
    id,
  })
  const snapshot = pageSnapshot(scope, list, offset)
  const read: ReadRows = <Row extends object>(
    name: string,
    sql: (facts: string) => string,
    within = { range, filters },
  ) =>
    run<Row>(scope.warehouse, {
      id: name,
      frozen: true,
      sql: sql(factsWhere(within.filters, snapshot)),
      params: {
        ...factParams(scope.project.id, within.range, within.filters, snapshot),
        product: id,
        limit,
        offset,
      },
    })
  const product = await detailOf(read, { projectId, id }, await readFilters(scope, {}))
  const available = product.rank !== null
  if (available) requireFeature(scope.project.plan, 'shopping')
  return {
    scope,
    available,
    product,
    dateRange: range,
    mentions: async () =>
      available
        ? (await read<MentionFacts>('shopping.mentions', productMentions)).map((facts) =>
            mentionOf(projectId, facts),
          )
        : [],
  }
}

export type ShoppingProductReport = Awaited<ReturnType<typeof shoppingProduct>>
