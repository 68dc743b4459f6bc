/** Pages of AI platforms as people see them, which services read in real sessions. */
export const surfaceNames = [
  'chatgpt',
  'ai_mode',
  'ai_overviews',
  'gemini',
  'perplexity',
  'copilot',
] as const
export type SurfaceName = (typeof surfaceNames)[number]

export const isSurfaceName = (text: string): text is SurfaceName =>
  (surfaceNames as readonly string[]).includes(text)

/**
 * The platform that answers of a surface count for. Where an API answers too, the surface is a platform of its own: the
 * two share a fifth to a third of their sources, and no number mixes them.
 */
export const surfacePlatforms: Readonly<Record<SurfaceName, string>> = {
  chatgpt: 'chatgpt_surface',
  ai_mode: 'google_ai_mode',
  ai_overviews: 'google_ai_overviews',
  gemini: 'gemini_surface',
  perplexity: 'perplexity_surface',
  copilot: 'copilot',
}

/** Services that answer a question by a task, which takes minutes. */
export const serviceNames = [
  'cloro',
  'brightdata',
  'oxylabs',
  'olostep',
  'dataforseo_scraper',
] as const
export type ServiceName = (typeof serviceNames)[number]

export const isService = (provider: string): provider is ServiceName =>
  (serviceNames as readonly string[]).includes(provider)
