import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Asset } from './assets.ts'

/** Scripts, styles and requests of this service only, and nothing inline. */
export const dashboardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Where the scripts and styles of the dashboard are. */
export const dashboardPrefix = '/dashboard/'

/** Written by `dashboard/build.ts`. */
const built = join(import.meta.dirname, '../dashboard/dist')

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Is the address one of the dashboard's own pages? They share one file. */
export function isDashboardPage(path: string): boolean {
  return path === '/' || path === '/new-project' || path.startsWith('/projects/')
}

/** The files of the build by their path; without a build none. */
async function readBuild(): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(built, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    files.map(({ name, parentPath }) => {
      const file = join(parentPath, name)
      const path = dashboardPrefix + file.slice(built.length + 1).replaceAll('\\', '/')
      const contentType = types[extname(name)] ?? 'application/octet-stream'
      return [path, { contentType, read: () => readFile(file) }]
    }),
  )
}

let files: Promise<ReadonlyMap<string, Asset>> | undefined

/** The page with the sign-in of the organisation, by the page without it. */
const signingIn = new WeakMap<Asset, Asset>()

/** The page where people sign in by their organisation, beside a key. The page reads so from its `<meta>`. */
function withSignIn(page: Asset): Asset {
  const made = signingIn.get(page) ?? {
    ...page,
    read: async () =>
      String(await page.read()).replace(
        'name="sign-in" content="key"',
        'name="sign-in" content="organisation"',
      ),
  }
  signingIn.set(page, made)
  return made
}

/**
 * The page, or a file of it; undefined where the build has none.
 * @param hasSignIn whether the page offers the sign-in of the organisation
 */
export async function dashboardAsset(path: string, hasSignIn: boolean): Promise<Asset | undefined> {
  files ??= readBuild()
  const isPage = isDashboardPage(path)
  const found = (await files).get(isPage ? `${dashboardPrefix}index.html` : path)
  return found && isPage && hasSignIn ? withSignIn(found) : found
}
