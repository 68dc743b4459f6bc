/**
 * The market of the demonstration project. Its brands and products are invented, and their domains end in
 * `.example` (RFC 2606), so that no real company is praised or blamed.
 */

export interface DemoBrand {
  readonly name: string
  readonly alias: string
  readonly domain: string
  /** The share of answers that name it: at the first day, and at the last. */
  readonly presence: readonly [number, number]
  /** How far it falls in the middle of the time. */
  readonly dip: number
  readonly products: Readonly<Record<Category, readonly [name: string, price: number]>>
}

export const categories = ['headphones', 'earbuds', 'speaker', 'soundbar', 'headset'] as const
export type Category = (typeof categories)[number]

/** "Lumora" of "Lumora Audio": the shorter of its names, which stands before a product. */
export function shortName({ name, alias }: DemoBrand): string {
  return alias.length < name.length ? alias : name
}

export const ownBrand: DemoBrand = {
  name: 'Lumora Audio',
  alias: 'Lumora',
  domain: 'lumora.example',
  presence: [0.4, 0.64],
  dip: 0.24,
  products: {
    headphones: ['Halo 3', 299],
    earbuds: ['Drop Pro', 179],
    speaker: ['Drift Mini', 119],
    soundbar: ['Stage One', 549],
    headset: ['Halo Play', 159],
  },
}

export const rivals: readonly DemoBrand[] = [
  {
    name: 'Kessler Acoustics',
    alias: 'Kessler',
    domain: 'kessler.example',
    presence: [0.72, 0.63],
    dip: -0.08,
    products: {
      headphones: ['K900', 379],
      earbuds: ['K-Buds 4', 229],
      speaker: ['Roam 2', 149],
      soundbar: ['Linea 700', 799],
      headset: ['K-Game', 189],
    },
  },
  {
    name: 'Veyra',
    alias: 'Veyra Sound',
    domain: 'veyra.example',
    presence: [0.48, 0.5],
    dip: -0.14,
    products: {
      headphones: ['Quiet 2', 249],
      earbuds: ['Pebble', 99],
      speaker: ['Pebble Boom', 89],
      soundbar: ['Bar 300', 349],
      headset: ['Arena', 129],
    },
  },
  {
    name: 'Nordklang',
    alias: 'Nordklang Audio',
    domain: 'nordklang.example',
    presence: [0.36, 0.3],
    dip: 0.02,
    products: {
      headphones: ['Fjord', 449],
      earbuds: ['Skerry', 259],
      speaker: ['Hytte', 279],
      soundbar: ['Fjell', 1199],
      headset: ['Storm', 219],
    },
  },
  {
    name: 'Tidepool Audio',
    alias: 'Tidepool',
    domain: 'tidepool.example',
    presence: [0.14, 0.31],
    dip: 0,
    products: {
      headphones: ['Reef', 129],
      earbuds: ['Shell', 59],
      speaker: ['Wave', 49],
      soundbar: ['Shore', 199],
      headset: ['Surge', 79],
    },
  },
]

/** Where the prompts are asked from, with the share by which answers there name the own brand more often. */
export const locations = [
  { label: 'Berlin, Germany', country: 'DE', home: 1.15 },
  { label: 'London, United Kingdom', country: 'GB', home: 0.95 },
  { label: 'Austin, United States', country: 'US', home: 0.9 },
] as const

export interface DemoPlatform {
  readonly platform: string
  readonly model: string
  /** How readily it names the own brand, against the average. */
  readonly favour: number
  /** Fewest and most citations of an answer that has any. */
  readonly citations: readonly [number, number]
  /** The share of answers that cite. */
  readonly cites: number
  /** Most sub-queries that it reports; 0 when it reports none. */
  readonly searches: number
  /** Does it show product modules? */
  readonly shops: boolean
}

export const platforms: readonly DemoPlatform[] = [
  {
    platform: 'chatgpt',
    model: 'gpt-5.2',
    favour: 1,
    citations: [2, 6],
    cites: 0.7,
    searches: 4,
    shops: true,
  },
  {
    platform: 'perplexity',
    model: 'sonar-pro',
    favour: 1.12,
    citations: [4, 9],
    cites: 1,
    searches: 3,
    shops: true,
  },
  {
    platform: 'gemini',
    model: 'gemini-3-pro',
    favour: 0.92,
    citations: [2, 5],
    cites: 0.8,
    searches: 3,
    shops: false,
  },
  {
    platform: 'google_ai_overviews',
    model: '',
    favour: 0.85,
    citations: [3, 7],
    cites: 1,
    searches: 0,
    shops: true,
  },
  {
    platform: 'claude',
    model: 'claude-sonnet-4-5',
    favour: 1.05,
    citations: [1, 4],
    cites: 0.5,
    searches: 2,
    shops: false,
  },
]
