import { PathLike } from 'node:fs'

export type Source = PathLike | null
