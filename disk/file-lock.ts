import { DatabaseSync } from 'node:sqlite'

const sqliteBusy = 5

export interface FileLock {
  release(): void
}

/**
 * Locks a file, which is created when it is missing. The lock is the operating system's, taken by SQLite, so it works on
 * every platform and across containers. It ends with the process, so it never goes stale.
 * @returns undefined when another process holds the lock
 * @throws {Error} when the file cannot be opened
 */
export function tryLockFile(path: string): FileLock | undefined {
  const database = new DatabaseSync(path)
  try {
    // A journal file would need room, which a full disk does not have.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)
      return undefined
    throw error
  }
}
