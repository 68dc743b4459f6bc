import { posix } from 'node:path'

/** A page of Markdown, by its path from the root of the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** The text without blocks of code, whose brackets are no links. Line numbers stay. */
function prose(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (code) => code.replace(/[^\n]/g, ''))
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]+>/g, '')
  return shown
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const name = anchorOf(heading)
    // A second heading of the same name gets a number.
    let anchor = name
    for (let n = 1; anchors.has(anchor); n++) anchor = `${name}-${n}`
    anchors.add(anchor)
  }
  for (const [, id = ''] of text.matchAll(/<\w+ id="([^"]+)"/g)) anchors.add(id)
  return anchors
}

/**
 * Links between files of the repository that lead nowhere, each as `page:line: target`.
 * @param exists whether a path from the root is a file or a folder of the repository
 */
export function deadLinks(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]))
  return pages.flatMap(({ path, text }) => {
    // Code within a line may hold brackets too.
    const plain = prose(text).replace(/`[^`\n]+`/g, (code) => '-'.repeat(code.length))
    const links = plain.matchAll(/\]\((?<target>[^)\s]+)\)/g)
    return [...links].flatMap(({ index, groups }) => {
      const target = groups?.target ?? ''
      if (/^[a-z][a-z+.-]*:/i.test(target)) return []
      const [file = '', anchor] = target.split('#')
      const place = file === '' ? path : posix.join(posix.dirname(path), file)
      const isThere = file === '' || exists(place.replace(/\/$/, ''))
      const named = anchor === undefined || (anchors.get(place)?.has(anchor) ?? false)
      const line = plain.slice(0, index).split('\n').length
      return isThere && named ? [] : [`${path}:${line}: ${target}`]
    })
  })
}
