import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { applyEdits, modify, type ParseError, parse as parseJson } from 'jsonc-parser'
import { parse as parseToml, type TomlTable, stringify as tomlOf } from 'smol-toml'
import { CliError } from '../../errors.ts'
import type { ClientFile, Launch } from './clients.ts'

const name = 'sightline'

interface Wanted {
  readonly file: ClientFile
  readonly launch: Launch
}

const entryOf = ({ file: { also }, launch }: Wanted) => ({ ...also, ...launch })

function unreadable({ title, path }: ClientFile): CliError {
  return new CliError(
    'client_file_damaged',
    `${path} of ${title} cannot be read. Mend it, or take what \`npx sightline mcp config\` prints.`,
  )
}

/** Adds the server to a file of JSON, which may have comments, and leaves all else alone. */
function inJson(text: string, wanted: Wanted): string {
  const faults: ParseError[] = []
  const before = parseJson(text || '{}', faults, { allowTrailingComma: true })
  if (faults.length > 0 || typeof before !== 'object' || before === null)
    throw unreadable(wanted.file)
  const entry = entryOf(wanted)
  if (isDeepStrictEqual(before[wanted.file.servers]?.[name], entry)) return text
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }
  const edits = modify(text || '{}', [wanted.file.servers, name], entry, { formattingOptions })
  const changed = applyEdits(text || '{}', edits)
  return changed.endsWith('\n') ? changed : `${changed}\n`
}

/** A file of TOML as data. @throws {CliError} `client_file_damaged` */
function tomlIn(text: string, file: ClientFile): TomlTable {
  try {
    // Its tables have no prototype, which a comparison would see.
    return JSON.parse(JSON.stringify(parseToml(text)))
  } catch {
    throw unreadable(file)
  }
}

/** Adds the server to a file of TOML at its end, in place of an earlier one. */
function inToml(text: string, wanted: Wanted): string {
  const { file } = wanted
  const serversIn = (table: TomlTable) => (table[file.servers] ?? {}) as TomlTable
  const before = tomlIn(text, file)
  const entry = entryOf(wanted)
  if (isDeepStrictEqual(serversIn(before)[name], entry)) return text
  const heading = new RegExp(`^\\[${file.servers}\\.${name}(?:\\.[^\\]]+)?\\]`)
  const kept = text.split(/^(?=\[)/m).filter((part) => !heading.test(part))
  const own = tomlOf({ [file.servers]: { [name]: entry } })
  const rest = kept.join('').trimEnd()
  const changed = `${rest}${rest && '\n\n'}${own.replace(/^\[[^.\]]+\]\n+/, '')}`
  // What the file said of all else, it must say still.
  const after = tomlIn(changed, file)
  const { [name]: _own, ...others } = serversIn(before)
  const { [name]: added, ...othersAfter } = serversIn(after)
  const isSame =
    isDeepStrictEqual(othersAfter, others) &&
    isDeepStrictEqual({ ...after, [file.servers]: null }, { ...before, [file.servers]: null }) &&
    isDeepStrictEqual(added, entry)
  if (!isSame) throw unreadable(file)
  return changed
}

/** The text of a file of a client with the server, and whether that changes it. */
export async function planned(wanted: Wanted) {
  const { path, format } = wanted.file
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const after = (format === 'json' ? inJson : inToml)(before ?? '', wanted)
  return { before, after, isChanged: after !== before }
}

/** The server as the file of a client has it. */
export const snippetOf = (wanted: Wanted) => {
  const servers = { [wanted.file.servers]: { [name]: entryOf(wanted) } }
  return wanted.file.format === 'json' ? JSON.stringify(servers, null, 2) : tomlOf(servers).trim()
}

/**
 * Writes the server into the file of a client. The file as it was is kept beside it.
 * @returns the path of that copy; undefined where nothing was overwritten
 */
export async function install(wanted: Wanted): Promise<{ changed: boolean; backup?: string }> {
  const { path } = wanted.file
  const { before, after, isChanged } = await planned(wanted)
  if (!isChanged) return { changed: false }
  await mkdir(dirname(path), { recursive: true })
  // It may hold a key.
  const mode = before === undefined ? 0o600 : (await stat(path)).mode & 0o777
  const backup = `${path}.before-sightline`
  if (before !== undefined) {
    // The copy of the first time has nothing of ours.
    await copyFile(path, backup, constants.COPYFILE_EXCL).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  const fresh = `${path}.${process.pid}.tmp`
  await writeFile(fresh, after, { mode })
  await chmod(fresh, mode)
  await rename(fresh, path)
  return { changed: true, ...(before !== undefined && { backup }) }
}
