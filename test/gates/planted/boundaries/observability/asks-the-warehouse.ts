import { run } from '../warehouse/run.ts'

export const asked = run
