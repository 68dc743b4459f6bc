import { createHash } from 'node:crypto'

export const hash = createHash
