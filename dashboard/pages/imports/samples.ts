import type { FileKind } from '../../documents.ts'

interface Sample {
  readonly extension: string
  readonly content: string
}

const lines = (...rows: readonly string[]) => `${rows.join('\n')}\n`
const json = (...rows: readonly object[]) => lines(...rows.map((row) => JSON.stringify(row)))

/** The day before today, which every import accepts. */
function recently(): Date {
  return new Date(Date.now() - 24 * 60 * 60 * 1000)
}

/** A small file of each kind, to fill in. */
export function sampleOf(kind: FileKind): Sample {
  const at = recently()
  const day = at.toISOString().slice(0, 10)
  const time = at.toISOString()
  switch (kind) {
    case 'answers':
      return {
        extension: 'jsonl',
        content: json(
          {
            prompt: 'Which running shoes are best for flat feet?',
            platform: 'ChatGPT',
            model: 'gpt-5-mini',
            collectedAt: time,
            country: 'US',
            topic: 'Running shoes',
            text: 'The Brooks Adrenaline GTS is the first choice. The Hoka Arahi comes second.',
            citations: [{ position: 1, url: 'https://example.com/flat-feet', title: 'Flat feet' }],
          },
          {
            prompt: 'Which running shoe brand lasts longest?',
            platform: 'Perplexity',
            collectedAt: time,
            text: 'Brooks and Asics last longest.',
          },
        ),
      }
    case 'prompts':
      return {
        extension: 'csv',
        content: lines(
          'text,topic,tags,country,intent,branded,volume',
          'Which running shoes are best for flat feet?,Running shoes,"flat feet, guide",US,commercial,no,1200',
          'Which running shoe brand lasts longest?,Running shoes,,,informational,no,300',
        ),
      }
    case 'access_log': {
      const month = at.toLocaleString('en', { month: 'short', timeZone: 'UTC' })
      const [year, , date] = day.split('-')
      const stamp = `${date}/${month}/${year}:08:15:00 +0000`
      return {
        extension: 'log',
        content: lines(
          `203.0.113.7 - - [${stamp}] "GET /guides/flat-feet HTTP/1.1" 200 5120 "-" "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"`,
          `203.0.113.8 - - [${stamp}] "GET / HTTP/1.1" 200 2048 "-" "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)"`,
        ),
      }
    }
    case 'search_console':
      return {
        extension: 'json',
        content: lines(
          JSON.stringify(
            {
              rows: [
                {
                  keys: [
                    day,
                    'shoes flat feet',
                    'https://example.com/guides/flat-feet',
                    'usa',
                    'MOBILE',
                  ],
                  clicks: 12,
                  impressions: 340,
                  ctr: 0.035,
                  position: 6.2,
                },
              ],
              responseAggregationType: 'byPage',
            },
            null,
            2,
          ),
        ),
      }
    case 'web_analytics':
      return {
        extension: 'csv',
        content: lines(
          'date,landingPage,sessionSource,sessions,totalUsers,bounceRate,averageSessionDuration',
          `${day.replaceAll('-', '')},/guides/flat-feet,chatgpt.com,42,40,0.35,95.5`,
          `${day.replaceAll('-', '')},/,perplexity.ai,7,7,0.5,60`,
        ),
      }
    case 'pages':
      return {
        extension: 'csv',
        content: lines(
          'url,title,type,tracked',
          'https://example.com/guides/flat-feet,Shoes for flat feet,article,yes',
          'https://example.com/,Home,homepage,yes',
        ),
      }
    case 'page_contents':
      return {
        extension: 'jsonl',
        content: json({
          url: 'https://example.com/flat-feet',
          title: 'Flat feet',
          content: 'We tested 30 running shoes for flat feet.',
          fetchedAt: time,
        }),
      }
    case 'articles':
      return {
        extension: 'md',
        content: lines(
          '---',
          'title: Shoes for flat feet',
          'slug: flat-feet',
          'status: published',
          'keywords: [flat feet, running shoes]',
          '---',
          '',
          'We tested 30 running shoes for flat feet.',
        ),
      }
    case 'domain_authority':
      return {
        extension: 'csv',
        content: lines('date,score,backlinks,referringDomains', `${day},54,12000,830`),
      }
  }
}
