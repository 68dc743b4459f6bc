import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const sqliteBusy = 5

/**
 * Takes a lock in a folder, which another process, in another container too, cannot have at the same time. It
 * is the operating system's own file lock, which SQLite knows to take everywhere: it ends with the process,
 * however that ends, and so never goes stale.
 * @throws {Error} when another has it
 */
export function lockFolder(dir: string, name: string): { release(): void } {
  const lock = new DatabaseSync(join(dir, `${name}.lock`))
  try {
    // With a journal file there would be something to write, for which a full disk has no room.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
    const reason = isBusy ? 'another process has it' : error
    throw new Error(`Cannot take the ${name} of ${dir}: ${reason}`, { cause: error })
  }
  return { release: () => lock.close() }
}
