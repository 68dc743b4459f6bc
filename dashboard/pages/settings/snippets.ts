/** Code for one kind of server. */
export interface Snippet {
  readonly title: string
  readonly code: string
}

/** The first code below each heading of a page of the documentation. Code of shells is no code of a server. */
export function snippetsIn(markdown: string): Snippet[] {
  return markdown.split(/^### /m).flatMap((section, at) => {
    const [title = ''] = section.split('\n', 1)
    const code = /^```(?:js|nginx|crontab)\n([\s\S]*?)^```/m.exec(section)?.[1]
    return at > 0 && code ? [{ title, code }] : []
  })
}
