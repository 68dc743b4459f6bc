import type { Settings } from '../core/settings.ts'
import type { DataDir } from './folder/data-dir.ts'

/** The settings and the data folder of a command. */
export interface Context {
  readonly settings: Settings
  readonly dataDir: DataDir
  /** True with `--json`: one JSON object on standard output, and nothing else. */
  readonly asJson: boolean
}
