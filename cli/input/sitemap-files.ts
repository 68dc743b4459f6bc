import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OpenBeside } from '../../imports/content/sitemap-read.ts'
import { openInputFile } from './input-file.ts'

/** The names that a sitemap may have on disk: as the index writes it, packed, or unpacked. */
const namesOf = (name: string) => [name, `${name}.gz`, name.replace(/\.gz$/i, '')]

/**
 * Opens the sitemaps that an index names, out of the folder where the index lies.
 * @param path of the index; "-" has no folder, and so nothing beside it
 */
export function sitemapsBeside(path: string): OpenBeside {
  return async (name) => {
    if (path === '-' || /[/\\\0]|^\.\.?$/.test(name)) return undefined
    for (const each of namesOf(name)) {
      const file = join(dirname(path), each)
      const stats = await stat(file).catch(() => undefined)
      if (stats?.isFile()) return { name: each, bytes: (await openInputFile(file)).open() }
    }
    return undefined
  }
}
