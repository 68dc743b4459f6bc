import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.ts'

const folder = join(root, '..', 'shared')

/** A file of real data, or of the contract. It lies beside the repository, not in it. */
export interface RealData {
  /** True where the file is absent: `test.skipIf` and `describe.skipIf` name the tests that need it. */
  readonly isAbsent: boolean
  /** Empty where the file is absent. */
  readonly text: string
  /** Without those that are empty. */
  readonly lines: readonly string[]
}

/**
 * Reads a file of the folder beside the repository.
 * @param path from that folder, such as `data/crawler-log.csv`
 * @throws Error where the file is absent under `CI=true`: continuous integration skips nothing
 */
export function realData(path: string): RealData {
  const isAbsent = !existsSync(join(folder, path))
  if (isAbsent && process.env.CI === 'true') throw new Error(`${join(folder, path)} is absent`)
  const text = isAbsent ? '' : readFileSync(join(folder, path), 'utf8')
  return { isAbsent, text, lines: text.split(/\r?\n/).filter((line) => line !== '') }
}
