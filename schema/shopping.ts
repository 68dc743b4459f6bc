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
  productsOfMany,
  type ShoppingArgs,
  type ShoppingProduct,
  type ShoppingReport,
  type ShoppingTally,
  shopping,
  shoppingHowToFix,
  shoppingTalliesOfMany,
} from '../resolvers/shopping/shopping.ts'
import { filterArgs, pageArgs, windowArgsOf } from './kit/args.ts'
import { batched } from './kit/batch.ts'
import { builder, report, type Types } from './kit/builder.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { reportFields } from './kit/report-fields.ts'

const meaning = {
  rate: 'Answers that show a product, in percent of the answers in which products were looked for.',
  rank: 'Its place by `mentionCount`, from 1; ties by name, then by id.',
  brand: 'Whose product it is, as answers write it; null where they do not.',
  available:
    'Whether answers in scope were looked through for products. When false, the rest is empty and `howToFix` says why.',
}

const metrics = metricsType<ShoppingTally>(
  'ShoppingMetrics',
  'The ratios of the products in scope.',
  {
    totalActivationRate: {
      description: meaning.rate,
      resolve: activationRate,
    },
  },
)

const summary = builder.objectRef<ShoppingTally>('ShoppingSummary').implement({
  description: 'How many answers show products.',
  fields: (t) => ({
    totalActivationRate: t.float({
      nullable: true,
      description: meaning.rate,
      resolve: (tally) => rounded(activationRate(tally)),
    }),
    totalResponses: t.expose('responses', {
      type: 'SafeInt',
      description: 'Answers in scope, also those in which products were not looked for.',
    }),
    totalProducts: t.expose('products', {
      type: 'SafeInt',
      description: 'Distinct products that they show.',
    }),
    metrics: metricsField(t, metrics, (tally) => tally),
  }),
})

const productFields = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, ProductDetail>) => ({
  id: t.exposeID('id', { description: 'UUID, derived from brand and name whatever their case.' }),
  name: t.exposeString('name', { description: 'Its name, in the most frequent spelling.' }),
  mentionCount: t.expose('mentionCount', {
    type: 'SafeInt',
    description: 'Answers that show it.',
  }),
})

const platformsOf = {
  description: 'Ids of the AI platforms that showed it, most often first.',
  resolve: ({ platforms }: ProductDetail) => [...platforms],
}

const productRow = builder.objectRef<ShoppingProduct>('ShoppingProduct').implement({
  description: 'A product that answers show.',
  fields: (t) => ({
    ...productFields(t as never),
    brand: t.exposeString('brand', {
      nullable: true,
      view: 'graph',
      description: meaning.brand,
    }),
    rank: t.expose('rank', { type: 'SafeInt', description: meaning.rank }),
    platforms: t.stringList(platformsOf),
  }),
})

const productDetail = builder.objectRef<ProductDetail>('ShoppingProductDetail').implement({
  description: 'A product that answers show, on its own.',
  fields: (t) => ({
    ...productFields(t),
    rank: t.expose('rank', {
      type: 'SafeInt',
      nullable: true,
      description: `${meaning.rank} Null when no answer in scope shows it.`,
    }),
    platforms: t.stringList(platformsOf),
    brand: t.exposeString('brand', { nullable: true, description: meaning.brand }),
  }),
})

const mention = builder.objectRef<ProductMention>('ShoppingMention').implement({
  description: 'An answer that shows a product.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'UTC day on which it was collected.' }),
    platform: t.exposeString('platform', { description: 'Id of the AI platform.' }),
    promptId: t.exposeID('promptId', { description: 'UUID of the prompt.' }),
    rank: t.expose('rank', {
      type: 'SafeInt',
      description: 'Its place among the products of the answer.',
    }),
    price: t.exposeFloat('price', {
      nullable: true,
      description: 'What it costs there; null where the answer tells no one amount.',
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'ISO 4217; null where the price names none, or a sign that several share.',
    }),
  }),
})

const shoppingReport = builder.objectRef<ShoppingReport>('Shopping').implement({
  description: 'The products that answers show.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: meaning.available }),
    products: t.field({
      type: [productRow],
      description: 'Those first that most answers show, then by name and id.',
      resolve: async (it) => [...(await it.products())],
    }),
    dateRange: reportFields.dateRange(t),
    summary: t.expose('tally', {
      type: summary,
      nullable: true,
      description: 'All answers in scope together; null when `available` is false.',
    }),
    howToFix: t.string({
      nullable: true,
      omitNull: true,
      description: 'What to do when `available` is false.',
      resolve: ({ available }) => (available ? null : shoppingHowToFix),
    }),
  }),
})

const productReport = builder.objectRef<ShoppingProductReport>('ShoppingProductReport').implement({
  description: 'One product, and the answers that show it.',
  fields: (t) => ({
    available: t.exposeBoolean('available', {
      description: 'Whether an answer in scope shows it. When false, `howToFix` says why.',
    }),
    product: t.expose('product', { type: productDetail, description: 'The product.' }),
    mentions: t.field({
      type: [mention],
      description: 'A page of the answers that show it, newest first.',
      resolve: (it) => it.mentions(),
    }),
    dateRange: reportFields.dateRange(t),
    howToFix: t.string({
      nullable: true,
      omitNull: true,
      description: 'What to do when `available` is false.',
      resolve: ({ available }) =>
        available
          ? null
          : 'No answer in scope shows it. Ask for a longer window or other platforms.',
    }),
  }),
})

/** The contract knows no pages here: without `limit` clients get all that a shop can have. */
const args = {
  ...windowArgsOf(yearWindow),
  platform: filterArgs.platform,
  ...pageArgs({ default: 10_000, max: 10_000 }),
}

report('shopping', {
  type: shoppingReport,
  description:
    'The products that AI platforms show with their answers, and how many answers show any. Where there are such, it needs a plan with shopping analytics.',
  problems: ['plan_upgrade_required'],
  args,
  resolve: (scope, given, context) =>
    shopping(scope, given as typeof given & ShoppingArgs, {
      tally: (ask) => batched(context, 'shopping.summary', scope, ask, shoppingTalliesOfMany),
      products: (ask) => batched(context, 'shopping.products', scope, ask, productsOfMany),
    }),
})

report('shoppingProduct', {
  type: productReport,
  description:
    'One product that AI platforms show with their answers. Where the window has it, it needs a plan with shopping analytics.',
  problems: ['plan_upgrade_required'],
  args: {
    productId: builder.args((t) => ({
      productId: t.id({ required: true, description: 'Id of the product.' }),
    })).productId,
    ...args,
  },
  resolve: (scope, given) => shoppingProduct(scope, given as typeof given & ShoppingProductArgs),
})
