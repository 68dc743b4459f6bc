import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZippedFile } from '../../imports/files/zip.ts'
import { openInputFile } from './input-file.ts'

/** The CSV files of a folder, as of an unpacked archive; undefined for what is no folder. */
export async function tablesIn(path: string): Promise<ZippedFile[] | undefined> {
  const stats = path === '-' ? undefined : await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) return undefined
  const names = (await readdir(path)).filter((name) => /\.csv$/i.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const file = await openInputFile(join(path, name))
      return { name, open: () => file.open() }
    }),
  )
}
