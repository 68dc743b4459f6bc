/** An entry of a lock file, as npm writes it. */
interface Entry {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
}

interface Lock {
  readonly packages: Readonly<Record<string, Entry>>
}

/** Stands for the registry that npm is set to. `.npmrc` names it too. */
const anyRegistry = 'https://packages.invalid/'

const folder = 'node_modules/'

/** The name of the package that an entry installs. The folder of an alias has another. */
const nameOf = (path: string, { name }: Entry) =>
  name ?? path.slice(path.lastIndexOf(folder) + folder.length)

/** The address of a package, as every registry lays them out. */
function addressOf(path: string, entry: Entry): string {
  const name = nameOf(path, entry)
  return `${anyRegistry}${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
}

/** `resolved` stands where npm writes it. */
function withAddress([path, entry]: [string, Entry]): [string, Entry] {
  // Folders of this repository have no checksum. Nor have some packages for other machines: npm learns it with the address.
  if (entry.integrity === undefined) return [path, entry]
  const { resolved: _, ...others } = entry
  const fields = Object.entries(others).flatMap((field) =>
    field[0] === 'integrity' ? [['resolved', addressOf(path, entry)], field] : [field],
  )
  return [path, Object.fromEntries(fields)]
}

/**
 * The lock file with the address of each package, at any registry. npm leaves addresses out, or names the registry of
 * whoever added a package. Without one, `npm ci` reads all versions of the package first: that takes half of its time.
 */
export function lockWithAddresses(text: string): string {
  const lock = JSON.parse(text) as Lock
  const packages = Object.fromEntries(Object.entries(lock.packages).map(withAddress))
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`
}
