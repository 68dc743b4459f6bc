import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './folder/data-dir.ts'

/** Sightline's version, from `package.json`. */
export const version: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version
