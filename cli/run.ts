import type { Command } from 'commander'
import { readSettings, type Settings } from '../core/settings.ts'
import { exitCodeOf, reportOf } from './errors.ts'
import { type DataDir, locateDataDir } from './folder/data-dir.ts'

/** What every command gets. */
export interface Context {
  readonly settings: Settings
  readonly dataDir: DataDir
  /** True with `--json`: one JSON object on standard output, and nothing else. */
  readonly asJson: boolean
}

/** What a command has to say, once for programs and once for people. */
export interface Outcome {
  readonly json: object
  readonly text: string
  /** Default 0. */
  readonly exitCode?: number
}

type Work<Options, Args extends unknown[]> = (
  context: Context,
  options: Options,
  ...args: Args
) => Promise<Outcome | undefined>

/** Wraps a command's work for commander: settings before, output and exit code after. */
export function perform<Options = object, Args extends unknown[] = []>(work: Work<Options, Args>) {
  return async (...given: [...Args, Options, Command]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = given.at(-2) as Options
    const asJson = command.optsWithGlobals().json === true
    try {
      const context = {
        settings: readSettings(process.env),
        dataDir: locateDataDir(process.env),
        asJson,
      }
      const outcome = await work(context, options, ...(given.slice(0, -2) as Args))
      if (outcome) print(outcome, asJson)
    } catch (error) {
      printError(error, asJson)
    }
  }
}

// A reader that has seen enough, such as `head`, closes the pipe: no fault of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

function print({ json, text, exitCode = 0 }: Outcome, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(json)}\n` : `${text}\n`)
  process.exitCode = exitCode
}

/** Tells an error on standard error, or with `--json` as an object on standard output. */
export function printError(error: unknown, asJson: boolean): void {
  const report = reportOf(error)
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ error: report })}\n`)
  } else {
    const mend = typeof report.howToFix === 'string' ? `\n${report.howToFix}` : ''
    process.stderr.write(`${report.message}${mend}\n`)
  }
  process.exitCode = exitCodeOf(error)
}
