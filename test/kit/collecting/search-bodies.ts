import { page } from './pages.ts'

/**
 * Bodies of vendors of search results. None is recorded: their shapes are those of the vendors' documentation.
 * Fields that nobody reads are left out.
 * @see https://docs.dataforseo.com/v3/serp/google/organic/live/advanced/
 * @see https://docs.dataforseo.com/v3/serp/google/ai_mode/live/advanced/
 * @see https://serpapi.com/google-ai-overview-api
 * @see https://serpapi.com/google-ai-mode-api
 */

/** A task of DataForSEO, in the envelope of its request. */
export const dataForSeoTask = (task: object) => ({
  version: '0.1.20250526',
  status_code: 20000,
  status_message: 'Ok.',
  cost: 0.004,
  tasks_count: 1,
  tasks_error: 0,
  tasks: [{ status_code: 20000, status_message: 'Ok.', cost: 0.004, ...task }],
})

/** A page of DataForSEO with these items. */
export const dataForSeoPage = (...items: object[]) =>
  dataForSeoTask({
    result: [
      {
        keyword: 'best anvils?',
        type: 'organic',
        se_domain: 'google.com',
        location_code: 2840,
        language_code: 'en',
        datetime: '2025-06-24 14:36:54 +00:00',
        items,
      },
    ],
  })

const dataForSeoSource = { type: 'ai_overview_reference', domain: 'acme.com', ...page }

export const dataForSeoOverview = (more: object) => ({
  type: 'ai_overview',
  rank_group: 1,
  rank_absolute: 1,
  asynchronous_ai_overview: true,
  ...more,
})

export const dataForSeo = (text: string) =>
  dataForSeoPage(
    { type: 'organic', rank_group: 1, url: 'https://rival.com/', title: 'Rival' },
    { type: 'people_also_ask', items: [{ type: 'people_also_ask_element', title: 'Why anvils?' }] },
    dataForSeoOverview({
      markdown: text,
      items: [{ type: 'ai_overview_element', text, markdown: text, references: null }],
      references: [dataForSeoSource],
    }),
  )

const serpApiMeta = (status = 'Success') => ({
  search_metadata: { id: '6540ac26', status, created_at: '2025-06-24 14:36:54 UTC' },
})

/** A body of SerpApi by its engine. */
export const serpApiPage = (engine: string, more: object, status?: string) => ({
  ...serpApiMeta(status),
  search_parameters: { engine, q: 'best anvils?' },
  ...more,
})

export const serpApiAnswer = (text: string) => ({
  text_blocks: [{ type: 'paragraph', snippet: text, reference_indexes: [0] }],
  references: [{ title: page.title, link: page.url, source: 'Acme', index: 0 }],
})

export const serpApi = (text: string) =>
  serpApiPage('google', {
    organic_results: [{ position: 1, title: 'Rival', link: 'https://rival.com/' }],
    ai_overview: serpApiAnswer(text),
  })

/** The page of an overview that Google loads late. */
export const serpApiLate = serpApiPage('google', {
  ai_overview: { page_token: 'a+token==', serpapi_link: 'https://elsewhere.test/?page_token=1' },
})

/** What the accounts of the vendors answer, by the path of the request. SerpApi repeats the key. */
export const accounts: Readonly<Record<string, object>> = {
  'appendix/user_data': dataForSeoTask({ cost: 0, result: [{ login: 'me@acme.com' }] }),
  'account.json': { account_id: '5ac54d6adefb2f1d', plan_id: 'bigdata', total_searches_left: 1 },
}
