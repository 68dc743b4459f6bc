import { type Draw, drawFrom } from './random.ts'
import type { DemoTopic } from './topics.ts'
import { type DemoBrand, type DemoPlatform, ownBrand, rivals, shortName } from './world.ts'

/** The platforms whose ads are measured, with the share of answers that have ads. */
const carrying: Readonly<Record<string, number>> = { chatgpt: 0.22, google_ai_overviews: 0.41 }

const mostAtOnce = 3
const titles = [
  '{product}: now from {price}',
  'The official {brand} shop',
  '{brand} {category} – free returns',
] as const

/** A brand with few mentions buys more ads. */
const budgetOf = (brand: DemoBrand) => (brand === ownBrand ? 0.8 : 1.2 - brand.presence[0])

function adOf(draw: Draw, brand: DemoBrand, { category }: DemoTopic) {
  const [product, price] = brand.products[category]
  const values: Record<string, string> = {
    product: `${shortName(brand)} ${product}`,
    price: `$${price}`,
    brand: shortName(brand),
    category,
  }
  return {
    advertiser: brand.name,
    domain: brand.domain,
    title: draw.pick(titles).replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ''),
    url: `https://www.${brand.domain}/${category}?utm_source=ads`,
  }
}

/**
 * Makes a function that chooses the ads of an answer; undefined on platforms whose ads are not measured. It has its
 * own random numbers, so that ads do not change the answers.
 */
export function openAds(
  seed: number,
): (by: DemoPlatform, topic: DemoTopic) => readonly object[] | undefined {
  const draw = drawFrom(seed + 1)
  return ({ platform }, topic) => {
    const share = carrying[platform]
    if (share === undefined) return undefined
    if (!draw.chance(share)) return []
    return draw
      .some([ownBrand, ...rivals], draw.between(1, mostAtOnce), budgetOf)
      .map((brand, index) => ({ position: index + 1, ...adOf(draw, brand, topic) }))
  }
}
