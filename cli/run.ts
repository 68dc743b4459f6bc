import type { Command } from 'commander'
import { Fault } from '../core/errors.ts'
import { readSettings } from '../core/settings.ts'
import type { Context } from './context.ts'
import { type ErrorReport, exitCodeOf, reportOf } from './errors.ts'
import { locateDataDir } from './folder/data-dir.ts'
import { withIds } from './names.ts'
import { inOptionNames } from './option-names.ts'

export type { Context } from './context.ts'

/** The result of a command, for programs and for people. */
export interface CommandResult {
  readonly json: object
  readonly text: string
  /** Default 0. */
  readonly exitCode?: number
}

type Work<Options, Args extends unknown[]> = (
  context: Context,
  options: Options,
  ...args: Args
) => Promise<CommandResult | undefined>

/** An action for commander: reads the settings, does the work, prints the result, sets the exit code. */
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
      const found = await withIds(context, options)
      const result = await work(context, found, ...(given.slice(0, -2) as Args))
      if (result) print(result, asJson)
    } catch (error) {
      printError(error, asJson, command)
    }
  }
}

// `head` closes the pipe when it has read enough, which is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

function print({ json, text, exitCode = 0 }: CommandResult, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(json)}\n` : `${text}\n`)
  process.exitCode = exitCode
}

/** Prints an error on standard error, or with `--json` as an object on standard output. */
export function printError(error: unknown, asJson: boolean, command?: Command): void {
  const found = reportOf(error)
  // Faults name parameters of the API.
  const isRenamed = command !== undefined && error instanceof Fault
  const message = isRenamed ? inOptionNames(found.message, command) : found.message
  const report: ErrorReport = { ...found, message }
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ error: report })}\n`)
  } else {
    // Of the details, the message of a command names the first.
    const isShown = typeof report.howToFix === 'string' && !report.howToFix.includes('`details`')
    const fix = isShown ? `\n${report.howToFix}` : ''
    process.stderr.write(`${report.message}${fix}\n`)
  }
  process.exitCode = exitCodeOf(error)
}
