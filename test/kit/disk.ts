import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** True where this user may mount a disk of its own. */
export const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/** Mounts a small disk on a folder for the length of the test. */
export function mountDisk(folder: string, sizeBytes: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=700`, 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder])
  })
}

/** Fills the disk of a folder to its last byte. @returns the file to delete for space */
export function fillDisk(folder: string): string {
  const ballast = join(folder, 'ballast')
  const file = openSync(ballast, 'a')
  for (const size of [2 ** 20, 4096, 1]) {
    const bytes = Buffer.alloc(size)
    try {
      while (writeSync(file, bytes) === size);
    } catch {
      // No more of this size.
    }
  }
  closeSync(file)
  return ballast
}
