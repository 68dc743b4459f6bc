import type { AskedProvider } from './request.ts'

/** The names of providers, as their owners write them. */
export const providerNames: Readonly<Record<AskedProvider, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  perplexity: 'Perplexity',
  xai: 'xAI',
  openrouter: 'OpenRouter',
  mistral: 'Mistral',
  compatible: 'OpenAI-compatible',
  dataforseo: 'DataForSEO',
  serpapi: 'SerpApi',
  cloro: 'Cloro',
  brightdata: 'Bright Data',
  oxylabs: 'Oxylabs',
  olostep: 'Olostep',
  dataforseo_scraper: 'DataForSEO LLM Scraper',
}
