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

/** Sections of the documentation that have all words, those with a word in their heading first. */
export async function searchHelp(words: readonly string[], limit: number) {
  const pages = await Promise.all(helpPages.map(helpPage))
  const sections = pages.flatMap((page) =>
    page ? page.text.split(/^(?=##? )/m).map((text) => ({ ...page, text })) : [],
  )
  const lower = words.map((word) => word.toLowerCase())
  const isIn = (text: string, word: string) => text.toLowerCase().includes(word)
  return sections
    .filter(({ text }) => lower.every((word) => isIn(text, word)))
    .map(({ name, title, text }) => {
      const [heading = '', ...lines] = text.split('\n')
      const body = lines.join(' ').replace(/\s+/g, ' ').trim()
      const at = Math.max(0, body.toLowerCase().indexOf(lower[0] ?? '') - 100)
      const named = lower.filter((word) => isIn(heading, word)).length
      return {
        name,
        title,
        heading: heading.replace(/^#+ /, ''),
        snippet: body.slice(at, at + 300),
        named,
      }
    })
    .toSorted((a, b) => b.named - a.named)
    .slice(0, limit)
}
