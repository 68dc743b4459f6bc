import type { Even } from './even.ts'

export type Odd = Even | 1
