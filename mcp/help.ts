import { readFile } from 'node:fs/promises'
import { helpPages } from '../core/help.ts'

export interface HelpPage {
  readonly name: (typeof helpPages)[number]
  readonly title: string
  readonly text: string
}

/** A page of the documentation, which the service shows at `/docs/…`. */
export async function helpPage(name: string): Promise<HelpPage | undefined> {
  const known = helpPages.find((page) => page === name)
  if (known === undefined) return undefined
  const text = await readFile(new URL(`../docs/${known}.md`, import.meta.url), 'utf8')
  return { name: known, title: /^# (.+)$/m.exec(text)?.[1] ?? known, text }
}

/**
 * Sections of the documentation that have all words, or else those that have most of them: at least half. A word in a heading
 * counts more.
 */
export async function searchHelp(words: readonly string[], limit: number) {
  const pages = await Promise.all(helpPages.map(helpPage))
  const sections = pages.flatMap((page) =>
    page ? page.text.split(/^(?=##? )/m).map((text) => ({ ...page, text })) : [],
  )
  const lower = words.map((word) => word.toLowerCase())
  const countIn = (text: string) => lower.filter((word) => text.toLowerCase().includes(word)).length
  const found = sections
    .map(({ name, title, text }) => {
      const [heading = '', ...lines] = text.split('\n')
      const body = lines.join(' ').replace(/\s+/g, ' ').trim()
      const first = lower.find((word) => body.toLowerCase().includes(word)) ?? ''
      const at = Math.max(0, body.toLowerCase().indexOf(first) - 100)
      return {
        name,
        title,
        heading: heading.replace(/^#+ /, ''),
        snippet: body.slice(at, at + 300),
        has: countIn(text),
        named: countIn(heading),
      }
    })
    .filter(({ has }) => has > 0 && has >= lower.length / 2)
    .toSorted((a, b) => b.has + b.named - (a.has + a.named))
  const whole = found.filter(({ has }) => has === lower.length)
  return { isWhole: whole.length > 0, sections: (whole.length > 0 ? whole : found).slice(0, limit) }
}
