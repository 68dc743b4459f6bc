import { readFile } from 'node:fs/promises'
import { helpPages } from '../core/help.ts'

const style = `
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
  code, pre { font: 14px/1.5 ui-monospace, monospace; background: #f3f5f8; border-radius: 4px; }
  code { padding: .1em .3em; } pre { padding: 1rem; overflow: auto; } pre code { padding: 0; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #dde3ea; }
  h2 { margin-top: 2.5rem; } a { color: #0b57a4; }
  @media (prefers-color-scheme: dark) { body { background: #12171e; color: #dbe2ea; } code, pre { background: #1d2530; } a { color: #7db7f5; } td, th { border-color: #2c3643; } }
`

/** Texts that are pages, by path, such as `/docs/errors`, where the `type` of every problem leads, and `/bot`. */
export const texts: Readonly<Record<string, { readonly title: string; readonly file: string }>> = {
  ...Object.fromEntries(
    helpPages.map((name) => [`/docs/${name}`, { title: `Sightline: ${name}`, file: `${name}.md` }]),
  ),
  '/bot': { title: 'SightlineBot', file: 'bot.md' },
}

/** Where a link of a text leads on its page; undefined where the service has no such page. */
function targetOf(href: string): string | undefined {
  const [, name, place = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return /^(?:https?:|mailto:|\/|#)/.test(href) ? href : undefined
  return texts[`/docs/${name}`] ? `/docs/${name}${place}` : undefined
}

/** The id of a heading, as links of `docs/` name it. */
const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** A page made of a text in `docs/`. */
export async function markdownPage(title: string, file: string): Promise<string> {
  const { Marked } = await import('marked')
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const target = targetOf(href)
        const words = this.parser.parseInline(tokens)
        return target === undefined ? words : `<a href="${target}">${words}</a>`
      },
      // Pictures of the repository are no files of the service.
      image: () => '',
    },
  })
  const markdown = await readFile(new URL(`../docs/${file}`, import.meta.url), 'utf8')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${await marked.parse(markdown)}
</main>
</body>
</html>
`
}
