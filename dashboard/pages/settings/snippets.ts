/** Where and as whom a site sends its requests. */
export interface Credentials {
  readonly tracker: string
  readonly ingestKey: string
  readonly siteToken: string
  /** The host of the site, in examples. */
  readonly host: string
}

export interface Block {
  /** The name of its file. */
  readonly file: string
  readonly code: string
}

/** Code for one kind of server. */
export interface Snippet {
  readonly title: string
  readonly blocks: readonly Block[]
  /** Whether it uses the package, which reads the credentials from the environment. */
  readonly usesPackage: boolean
}

const block = /^```(\w+)\n((?:<\?php\n)?(?:\/\/|#) ([\w-]+(?:\.\w+)?).*\n[\s\S]*?)^```/gm

/** The named code below each heading of a page of the documentation, in its order. */
export function snippetsIn(markdown: string): Snippet[] {
  const sections = markdown.split(/^### /m).slice(1)
  const found = sections.flatMap((section): Snippet[] => {
    const [title = ''] = section.split('\n', 1)
    const blocks = [...section.matchAll(block)].map(([, , code = '', file = '']) => ({
      file,
      code,
    }))
    if (blocks.length === 0) return []
    return [{ title, blocks, usesPackage: blocks.some(({ file }) => file.endsWith('.js')) }]
  })
  const log = found.flatMap(({ blocks }) => blocks).find(({ file }) => file === 'log.js')
  // Caddy's log takes the program of Apache's.
  return found.map((snippet) =>
    snippet.title === 'Caddy' && log
      ? {
          ...snippet,
          usesPackage: true,
          blocks: [...snippet.blocks, { ...log, code: log.code.replace('apache2', 'caddy') }],
        }
      : snippet,
  )
}

/** The lines that install the package. */
export function installIn(markdown: string): string {
  const [, section = ''] = markdown.split(/^## The package$/m)
  return /^```sh\n([\s\S]*?)^```/m.exec(section)?.[1] ?? ''
}

/** Code with the credentials in place of the examples of the documentation. */
export function filled(code: string, credentials: Credentials): string {
  const { tracker, ingestKey, siteToken, host } = credentials
  return code
    .replaceAll('https://tracker.example.com', tracker)
    .replaceAll(/\$\{SIGHTLINE_INGEST_KEY\}/g, ingestKey)
    .replaceAll(/\$\{SIGHTLINE_SITE_TOKEN\}/g, siteToken)
    .replaceAll('sk_live_…', ingestKey)
    .replaceAll('st_…', siteToken)
    .replaceAll('www.example.com', host)
}

export const environmentOf = ({ tracker, ingestKey, siteToken }: Credentials): string =>
  [
    `SIGHTLINE_TRACKER=${tracker}`,
    `SIGHTLINE_INGEST_KEY=${ingestKey}`,
    `SIGHTLINE_SITE_TOKEN=${siteToken}`,
  ].join('\n')
