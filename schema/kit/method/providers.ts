import type { AskedProvider } from '../../../core/collecting/providers/request.ts'
import { wordsOf } from '../words.ts'

export const answerProvider = wordsOf<AskedProvider>(
  'AnswerProvider',
  'A provider of AI assistants that Sightline asks.',
  {
    openai: 'OpenAI, by its Responses with web search.',
    anthropic: 'Anthropic, by its Messages with web search.',
    gemini: 'Google Gemini, grounded in Google Search.',
    perplexity: 'Perplexity, by its Sonar models.',
    xai: 'xAI, by its Responses with web search.',
    openrouter: 'OpenRouter, by its chat completions with web search.',
    mistral: 'Mistral, by its Conversations with web search.',
    compatible: 'Any other endpoint for chat completions as OpenAI defines them.',
    dataforseo:
      'DataForSEO, which reads AI Overviews and AI Mode of Google, or asks Perplexity by its API.',
    serpapi: 'SerpApi, which reads AI Overviews and AI Mode of Google.',
    cloro: 'Cloro, which reads surfaces in real sessions.',
    brightdata: 'Bright Data, which reads surfaces in real sessions.',
    oxylabs: 'Oxylabs, which reads surfaces in real sessions.',
    olostep: 'Olostep, which reads surfaces in real sessions.',
    dataforseo_scraper:
      'The LLM Scraper of DataForSEO, which reads ChatGPT and Gemini in real sessions.',
  },
)
