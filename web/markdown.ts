import { readFile } from 'node:fs/promises'

const style = `
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
  code, pre { font: 14px/1.5 ui-monospace, monospace; background: #f3f5f8; border-radius: 4px; }
  code { padding: .1em .3em; } pre { padding: 1rem; overflow: auto; } pre code { padding: 0; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #dde3ea; }
  h2 { margin-top: 2.5rem; } a { color: #0b57a4; }
  @media (prefers-color-scheme: dark) { body { background: #12171e; color: #dbe2ea; } code, pre { background: #1d2530; } a { color: #7db7f5; } td, th { border-color: #2c3643; } }
`

/** Texts that are pages, by path: `docs/errors.md`, where the `type` of every problem leads, and `docs/bot.md`. */
export const texts: Readonly<Record<string, { readonly title: string; readonly file: string }>> = {
  '/docs/errors': { title: 'Sightline: errors', file: 'errors.md' },
  '/bot': { title: 'SightlineBot', file: 'bot.md' },
}

/** A page made of a text in `docs/`. */
export async function markdownPage(title: string, file: string): Promise<string> {
  const { marked } = await import('marked')
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
