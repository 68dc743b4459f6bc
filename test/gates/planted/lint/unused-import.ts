import { join } from 'node:path'

export const one = 1
