import type { AnswerLine } from '../kit/api.ts'

/**
 * Six answers of two platforms to three prompts in May, one in April. Counted by hand:
 *
 *   day  platform    prompt  cites
 *   10   chatgpt     p1      wikipedia.org/a, wikipedia.org/b, acme.com/x
 *   10   perplexity  p1      en.wikipedia.org/a, rival.com/r
 *   11   chatgpt     p1      wikipedia.org/a (twice, once with a fragment and utm)
 *   12   chatgpt     p2      rival.com/r
 *   13   perplexity  p2      nothing
 *   14   chatgpt     p3      reddit.com/r/x/comments/1/y
 *
 *   April 20: chatgpt p1     wikipedia.org/a
 */
export const citedAnswers: readonly AnswerLine[] = [
  {
    prompt: 'p1',
    topic: 'T1',
    platform: 'ChatGPT',
    model: 'gpt-4o',
    collectedAt: '2025-05-10T08:00:00Z',
    country: 'DE',
    location: 'Berlin, Germany',
    text: 'Acme is good.',
    citations: [
      { position: 1, url: 'https://wikipedia.org/a', title: 'A' },
      { position: 2, url: 'https://wikipedia.org/b/', title: null },
      { position: 3, url: 'https://acme.com/x', title: 'X' },
    ],
  },
  {
    prompt: 'p1',
    topic: 'T1',
    platform: 'perplexity',
    model: 'sonar',
    collectedAt: '2025-05-10T09:00:00Z',
    country: 'US',
    text: 'Rival is better.',
    citations: [
      { position: 1, url: 'https://en.wikipedia.org/a' },
      { position: 2, url: 'https://rival.com/r' },
    ],
  },
  {
    prompt: 'p1',
    topic: 'T1',
    platform: 'chatgpt',
    model: 'gpt-4o',
    collectedAt: '2025-05-11T08:00:00Z',
    text: 'Nothing named.',
    citations: [
      { position: 1, url: 'http://WIKIPEDIA.org:80/a#section' },
      { position: 2, url: 'https://wikipedia.org/a?utm_source=x' },
    ],
  },
  {
    prompt: 'p2',
    topic: 'T2',
    platform: 'chatgpt',
    model: 'gpt-5',
    collectedAt: '2025-05-12T08:00:00Z',
    text: 'Acme again.',
    citations: [{ position: 1, url: 'https://rival.com/r' }],
  },
  {
    prompt: 'p2',
    topic: 'T2',
    platform: 'perplexity',
    model: 'sonar',
    collectedAt: '2025-05-13T08:00:00Z',
  },
  {
    prompt: 'Is Acme any good?',
    platform: 'chatgpt',
    model: 'gpt-5',
    collectedAt: '2025-05-14T08:00:00Z',
    citations: [{ position: 1, url: 'https://www.reddit.com/r/x/comments/1/y' }],
  },
  {
    prompt: 'p1',
    topic: 'T1',
    platform: 'chatgpt',
    model: 'gpt-4o',
    collectedAt: '2025-04-20T08:00:00Z',
    citations: [{ position: 1, url: 'https://wikipedia.org/a' }],
  },
]
