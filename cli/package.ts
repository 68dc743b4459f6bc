import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of Sightline's `package.json`. */
export const packageRoot = dirname(dirname(fileURLToPath(import.meta.url)))

/** Sightline's version, from `package.json`. */
export const version: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version
