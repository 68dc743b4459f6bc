import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OpenBeside } from '../../imports/content/sitemap.ts'
import { openInputFile } from './input-file.ts'

/** The names of a sitemap on disk: as in the index, compressed, or decompressed. */
const namesOf = (name: string) => [name, `${name}.gz`, name.replace(/\.gz$/i, '')]

/**
 * Opens the sitemaps of an index from the folder of the index.
 * @param path of the index; "-" has no folder, and so no sitemaps
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
