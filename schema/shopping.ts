import { rounded } from '../core/metrics.ts'
import { yearWindow } from '../core/window.ts'
import {
  type ProductDetail,
  type ProductMention,
  type ShoppingProductArgs,
  type ShoppingProductReport,
  shoppingProduct,
} from '../resolvers/shopping/product.ts'
import {
  activationRate,
  type ShoppingArgs,
  type ShoppingCounts,
  type ShoppingProduct,
  type ShoppingReport,
  shopping,
  shoppingHowToFix,
} from '../resolvers/shopping/shopping.ts'
import { filterArgs, pageArgs, windowArgsOf } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { listOf } from './kit/lists/connection.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { report } from './kit/report.ts'
import { adviceWithDays, type FieldsOf, reportFields } from './kit/report-fields.ts'

const meaning = {
  rate: 'Percent of answers in the window imported with `products` that show a product.',
  rank: 'Rank by the number of answers that show the product, from 1.',
  rankInRest: 'Rank by `mentionCount`, from 1.',
  brand: 'Brand of the product as answers write it; null when answers name no brand.',
  available:
    'Whether the window has answers imported with `products`. If not, `howToFix` says why.',
}

const metrics = metricsType<ShoppingCounts>(
  'ShoppingMetrics',
  'The activation rate with its numerator and denominator.',
  {
    activationRate: {
      description: meaning.rate,
      measure: 'productShown',
      resolve: activationRate,
    },
  },
)

const summary = builder.objectRef<ShoppingCounts>('ShoppingSummary').implement({
  description: 'Answers and products in the window.',
  fields: (t) => ({
    totalActivationRate: t.float({
      graphName: 'activationRate',
      nullable: true,
      description: `${meaning.rate} Null without measured answers.`,
      restDescription: meaning.rate,
      resolve: (counts) => rounded(activationRate(counts)),
    }),
    totalResponses: t.expose('responses', {
      graphName: 'answerCount',
      type: 'Int',
      description: 'Answers in the window, measured or not.',
    }),
    totalProducts: t.expose('products', {
      graphName: 'productCount',
      type: 'Int',
      description: 'Distinct products that answers in the window show.',
    }),
    metrics: metricsField(t, metrics, (counts) => counts),
  }),
})

type NamedProduct = Pick<ProductDetail, 'id' | 'name' | 'mentionCount'>

const productFields = <Product extends NamedProduct>(t: FieldsOf<Product>) => ({
  id: t.id({
    graphName: 'productId',
    resolve: ({ id }) => id,
    description: 'UUID of the product, derived from brand and name regardless of letter case.',
  }),
  name: t.string({
    description: 'Name of the product in its most frequent spelling.',
    resolve: ({ name }) => name,
  }),
  mentionCount: t.field({
    graphName: 'shownIn',
    type: 'Int',
    resolve: ({ mentionCount }) => mentionCount,
    description: 'Answers in the window that show the product.',
  }),
})

const platformsOf = {
  description: 'Ids of the AI platforms that showed the product, most answers first.',
  resolve: ({ platforms }: ProductDetail) => [...platforms],
}

export const productRow = builder.objectRef<ShoppingProduct>('ShoppingProduct').implement({
  description: 'A product that answers show.',
  fields: (t) => ({
    ...productFields(t),
    brand: t.exposeString('brand', {
      nullable: true,
      view: 'graph',
      description: meaning.brand,
    }),
    rank: t.expose('rank', {
      type: 'Int',
      description: meaning.rank,
      restDescription: meaning.rankInRest,
    }),
    platformIds: t.stringList({ ...platformsOf, view: 'rest', restName: 'platforms' }),
  }),
})

export const productDetail = builder.objectRef<ProductDetail>('ShoppingProductDetail').implement({
  description: 'One product, with numbers of the answers that show it.',
  fields: (t) => ({
    ...productFields(t),
    rank: t.expose('rank', {
      type: 'Int',
      nullable: true,
      description: `${meaning.rank} Null when no answer in the window shows the product.`,
      restDescription: `${meaning.rankInRest} Null when no answer in the window shows the product.`,
    }),
    platformIds: t.stringList({ ...platformsOf, view: 'rest', restName: 'platforms' }),
    brand: t.exposeString('brand', { nullable: true, description: meaning.brand }),
  }),
})

export const mention = builder.objectRef<ProductMention>('ShoppingMention').implement({
  description: 'An answer that shows a product.',
  fields: (t) => ({
    date: t.expose('date', {
      type: 'Date',
      description: 'UTC day on which the answer was collected.',
    }),
    platformId: t.exposeString('platform', {
      view: 'rest',
      restName: 'platform',
      description: 'Id of the AI platform.',
    }),
    promptId: t.exposeID('promptId', { view: 'rest', description: 'UUID of the prompt.' }),
    rank: t.expose('rank', {
      type: 'Int',
      description: 'Place of the product among the products of the answer, from 1.',
    }),
    price: t.exposeFloat('price', {
      nullable: true,
      description: 'Price of the product in the answer; null unless the answer names one amount.',
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'ISO 4217 code of the price; null without a currency or with an ambiguous sign.',
    }),
  }),
})

const shoppingReport = listOf(builder.objectRef<ShoppingReport>('Shopping'), productRow, {
  rows: 'products',
  // Without data there is no product.
  total: ({ counts }) => counts?.products ?? 0,
  description: 'The products that answers show, with totals.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: meaning.available }),
    products: t.field({
      type: [productRow],
      description: 'Products, most answers first, ties by name and id.',
      resolve: async (it) => [...(await it.products())],
    }),
    ...reportFields.window(t),
    summary: t.expose('counts', {
      type: summary,
      nullable: true,
      description: "Numbers of the window's answers; null when `available` is false.",
    }),
    howToFix: t.string({
      nullable: true,
      omitNull: true,
      description: 'How to get data; null when `available` is true.',
      restDescription: 'How to get data. Present only when `available` is false.',
      resolve: (it) => (it.available ? null : adviceWithDays(it, shoppingHowToFix)),
    }),
  }),
})

const productHowToFix =
  'No answer in the window shows this product. Request a longer window or other platforms.'

const productReport = listOf(
  builder.objectRef<ShoppingProductReport>('ShoppingProductReport'),
  mention,
  {
    rows: 'mentions',
    isCounted: true,
    description: 'One product and the answers that show the product.',
    fields: (t) => ({
      available: t.exposeBoolean('available', {
        description:
          'Whether an answer in the window shows the product. When false, `howToFix` says why.',
      }),
      product: t.field({
        type: productDetail,
        description: 'The product.',
        resolve: (it) => it.product,
      }),
      mentions: t.field({
        type: [mention],
        description: 'A page of the answers that show the product, newest first.',
        resolve: (it) => it.mentions(),
      }),
      ...reportFields.window(t),
      howToFix: t.string({
        nullable: true,
        omitNull: true,
        description: 'How to get data; null when `available` is true.',
        restDescription: 'How to get data. Present only when `available` is false.',
        resolve: (it) => (it.available ? null : adviceWithDays(it, productHowToFix)),
      }),
    }),
  },
)

/** The REST contract has no pages here: the default `limit` covers every product. */
const args = {
  ...windowArgsOf(yearWindow),
  platform: filterArgs.platform,
  obtained: filterArgs.obtained,
  ...pageArgs({ default: 10_000, max: 10_000 }),
}

report('shopping', {
  ...shoppingReport,
  description: 'Products that AI platforms show. Needs a plan with shopping analytics.',
  problems: ['plan_upgrade_required'],
  args,
  resolve: (scope, given) => shopping(scope, given as typeof given & ShoppingArgs),
})

report('shoppingProduct', {
  ...productReport,
  description: 'One product that AI platforms show. Needs a plan with shopping analytics.',
  problems: ['plan_upgrade_required'],
  args: {
    productId: builder.args((t) => ({
      productId: t.id({ required: true, description: 'Id of the product.' }),
    })).productId,
    ...args,
  },
  resolve: (scope, given) => shoppingProduct(scope, given as typeof given & ShoppingProductArgs),
})
