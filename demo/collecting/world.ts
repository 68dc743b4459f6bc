import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { topics } from '../topics.ts'
import { type DemoPlatform, ownBrand, platforms, rivals } from '../world.ts'

/** The second brand of the demonstration, which asks an invented provider by a schedule. */
const brandName = 'Veyra'
const market = [ownBrand, ...rivals]
const brand = market.find(({ name }) => name === brandName) ?? ownBrand

/** The project of the schedule. Its name comes after the first one's: lists begin with that. */
export const askingProject = {
  name: brand.name,
  domain: brand.domain,
  industry: 'Consumer audio',
  description: 'An invented rival of Lumora Audio. A schedule asks an invented provider about it.',
  aliases: [brand.alias],
  competitors: market
    .filter((each) => each !== brand)
    .map(({ name, domain, alias }) => ({ name, domain, aliases: [alias] })),
} as const

/** Three prompts of each of two topics. */
export const askedTopics = topics
  .slice(0, 2)
  .map(({ name, prompts }) => ({ name, prompts: prompts.slice(0, 3) }))

/** Names of no other host: the demonstration's provider answers to this one alone. */
export const providerHost = 'assistants.lumora.example'

/** An invented assistant behind an API that Sightline speaks. */
export interface Assistant {
  /** The first part of the path of its address, and the label of its key. */
  readonly label: string
  readonly provider: AskedProvider
  /** One with a list price, since a cap needs an expected cost. */
  readonly model: string
  /** US dollars of an answer: the provider's own figure. */
  readonly cost: number
  readonly by: DemoPlatform
}

const platformOf = (name: string): DemoPlatform => {
  const found = platforms.find(({ platform }) => platform === name)
  if (!found) throw new Error(`The demonstration has no platform ${name}.`)
  return found
}

export const assistants: readonly Assistant[] = [
  {
    label: 'demo-chatgpt',
    provider: 'compatible',
    model: 'gpt-5-mini',
    cost: 0.004,
    by: platformOf('chatgpt'),
  },
  {
    label: 'demo-perplexity',
    provider: 'perplexity',
    model: 'sonar',
    cost: 0.02,
    by: platformOf('perplexity'),
  },
]

export const addressOf = ({ label }: Assistant) => `http://${providerHost}/${label}`
