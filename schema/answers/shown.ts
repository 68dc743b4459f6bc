import type { AnswerAd, AnswerProduct } from '../../resolvers/answers/whole.ts'
import { builder } from '../kit/builder.ts'
import { answerRow } from './answers.ts'

const product = builder.objectRef<AnswerProduct>('AnswerProduct').implement({
  description: 'A product that one answer shows.',
  fields: (t) => ({
    productId: t.exposeID('id', {
      description: 'UUID of the product, derived from brand and name regardless of letter case.',
    }),
    name: t.exposeString('name', { description: 'Name of the product as the answer writes it.' }),
    brand: t.exposeString('brand', {
      nullable: true,
      description: 'Brand of the product as the answer writes it; null when it names none.',
    }),
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

const orNull = (text: string) => text || null

const ad = builder.objectRef<AnswerAd>('AnswerAd').implement({
  description: 'An ad that one answer shows.',
  fields: (t) => ({
    adId: t.exposeID('adId', { description: 'UUID of the ad, as in the list of ads.' }),
    position: t.expose('place', {
      type: 'Int',
      description: 'Place of the ad among the ads of the answer, from 1.',
    }),
    advertiser: t.exposeString('name', { description: 'Name of the advertiser.' }),
    domain: t.string({
      nullable: true,
      description: 'Registrable domain that the ad links to; null without a link.',
      resolve: ({ site }) => orNull(site),
    }),
    title: t.string({
      nullable: true,
      description: 'Headline of the ad; null without a headline.',
      resolve: ({ headline }) => orNull(headline),
    }),
    url: t.string({
      nullable: true,
      description: 'Normalised URL that the ad links to; null without a link.',
      resolve: ({ address }) => orNull(address),
    }),
  }),
})

builder.objectFields(answerRow, (t) => ({
  products: t.field({
    type: [product],
    nullable: true,
    view: 'graph',
    problems: ['plan_upgrade_required'],
    description:
      'Products in the answer, by rank; null when the import did not look. Needs a plan with shopping analytics.',
    resolve: (row) => row.products(),
  }),
  ads: t.field({
    type: [ad],
    nullable: true,
    view: 'graph',
    description:
      'Ads that the answer shows, by position; null when the import did not look for ads.',
    resolve: (row) => row.ads(),
  }),
}))
