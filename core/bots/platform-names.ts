import { builtinBots } from './bots.ts'

/** The platforms of vendors that have several, by their own names. */
const products: Readonly<Record<string, string>> = {
  aiwebindex: 'AIWebIndex',
  aws: 'AWS',
  azure_ai: 'Azure AI',
  devin: 'Devin',
  manus: 'Manus',
  opencode: 'opencode',
  pangu: 'Huawei Pangu',
  petal: 'Petal Search',
  rovo: 'Atlassian Rovo',
  tabstack: 'Tabstack',
  tiktok: 'TikTok',
  vertex_ai: 'Vertex AI',
}

/** The names of the platforms that crawlers serve, by id: that of the vendor, unless it has several. */
const names: ReadonlyMap<string, string> = new Map(
  builtinBots.bots.map(({ platform, vendor }) => [platform, products[platform] ?? vendor]),
)

/** The name of a platform that no answer came from, such as Common Crawl; its id where no crawler is known. */
export const crawledName = (id: string): string => names.get(id) ?? id
