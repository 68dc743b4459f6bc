import { count, counted } from '../../../web/share/numbers.ts'

/** Texts of the pages of competitors and of one competitor. */
export const competitors = {
  title: 'Competitors',
  brands: 'Brands',
  brandsLead: 'A brand leads a topic when more answers mention it than any other tracked brand.',
  share: 'Share of voice',
  leads: 'Leads in',
  moreTopics: (topics: number) => `and ${count(topics)} more`,
  missing: 'This project tracks no such competitor.',
  visibilityOf: (mentioning: number, all: number) =>
    `Mentioned in ${count(mentioning)} of ${counted(all, 'answer')}`,
  positionOf: (answers: number) =>
    `In ${counted(answers, 'answer')} that ${answers === 1 ? 'mentions' : 'mention'} the brand`,
  trend: 'Visibility over time',
  topics: 'Topics this brand leads',
  noTopics: 'This brand leads no topic in this date range.',
  wins: 'Prompts this brand wins and you lose',
  noWins: 'This brand is ahead of you in no prompt.',
  sources: 'Sources of the answers that mention this brand',
  withoutYou: 'Answers that mention this brand and not you',
  you: 'You',
  products: 'Products in answers',
  productsLead: 'Products that AI platforms show beside their answers, most shown first.',
  product: 'Product',
  shownIn: 'Times shown',
  advertisers: 'Advertisers',
  advertisersLead: 'Who advertises beside the answers to your prompts.',
  advertiser: 'Advertiser',
  shareOfAds: 'Share of ads',
  ads: 'Ads',
  ad: 'Ad',
  impressions: 'Impressions',
} as const
