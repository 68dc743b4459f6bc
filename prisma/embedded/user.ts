import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** How to start PostgreSQL's programs, which refuse to run as root. */
export interface PostgresUser {
  readonly uid: number
  readonly gid: number
  /** True when the caller is root and must give files to PostgreSQL's user. */
  readonly handsOver: boolean
  /** True when the kernel ends the program with its parent. */
  readonly diesWithParent: boolean
  /** @returns the command that runs the program as the user */
  command(program: string, args: readonly string[]): [string, string[]]
  /** Options of `spawn` when no wrapper changes the user. */
  readonly ids: { uid?: number; gid?: number }
}

const NOBODY = { uid: 65534, gid: 65534 }

/** Linux capabilities by their bit in `CapBnd`. */
const CAPABILITIES = { dac_override: 1n << 1n, dac_read_search: 1n << 2n }

/**
 * The user that PostgreSQL runs as: the current user, or for root the owner of the data, or nobody.
 * @param program the server's path, `parent` the nearest folder above the data that exists
 * @param owner the present owner of the data, if any
 */
export function postgresUser(program: string, parent: string, owner?: Stats): PostgresUser {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined
  const isRoot = process.geteuid?.() === 0
  const own = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  const other = owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY
  const user = isRoot ? other : own
  const prefix = [
    ...(isRoot ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : []),
    ...(isRoot ? passage(user, program, parent) : []),
    '--pdeathsig=SIGINT',
  ]
  return {
    ...user,
    handsOver: isRoot,
    diesWithParent: setpriv !== undefined,
    ids: isRoot && !setpriv ? user : {},
    command: (name, args) => (setpriv ? [setpriv, [...prefix, name, ...args]] : [name, [...args]]),
  }
}

// Another user reaches neither programs nor data under a folder such as /root (0700). One capability allows it;
// access(2) honours the capability only with no_setuid_fixup.
function passage(user: { uid: number; gid: number }, program: string, parent: string): string[] {
  const canRun = allows(statSync(program), user, 0o5)
  const open = [dirname(program), parent].every((folder) => canTraverse(folder, user))
  if (canRun && open) return []
  const bounding = boundingSet()
  const readOnly = canRun && (bounding & CAPABILITIES.dac_read_search) !== 0n
  const capability = readOnly ? 'dac_read_search' : 'dac_override'
  if ((bounding & CAPABILITIES[capability]) === 0n) return []
  return [
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    '--securebits=+no_setuid_fixup',
  ]
}

function canTraverse(folder: string, user: { uid: number; gid: number }): boolean {
  if (!allows(statSync(folder), user, 0o1)) return false
  const parent = dirname(folder)
  return parent === folder || canTraverse(parent, user)
}

/** @param need the permission bits of one class, such as 5 for read and execute */
function allows(stats: Stats, user: { uid: number; gid: number }, need: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0
  return ((stats.mode >> shift) & need) === need
}

function boundingSet(): bigint {
  const line = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return line?.[1] ? BigInt(`0x${line[1]}`) : 0n
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin']
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
