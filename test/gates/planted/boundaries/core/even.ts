import type { Odd } from './odd.ts'

export type Even = Odd | 0
