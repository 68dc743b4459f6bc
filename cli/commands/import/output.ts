import { basename } from 'node:path'
import type { Days } from '../../../imports/loads/record.ts'
import type { InputFile } from '../../input/input-file.ts'
import { type Progress, rateSince, showProgress } from '../../progress.ts'
import type { CommandResult, Context } from '../../run.ts'
import { INTERRUPTED, interruptible } from '../../signals.ts'
import { count } from '../../text.ts'

/** How an import is stopped, and how it reports its progress. */
export interface ImportRun<Counts> {
  readonly signal: AbortSignal
  readonly onProgress: (counts: Counts) => void
  readonly onDays: (days: Days) => void
}

/** The name of a file for the list of imports; null for standard input. */
export const fileName = (path: string): string | null => (path === '-' ? null : basename(path))

/** The part of an input that a progress bar needs. */
export type MeasuredInput = Pick<InputFile, 'sizeBytes' | 'readBytes' | 'close'>

/** How an import shows its progress and its result. */
export interface ImportDisplay<Counts, Result> {
  /** The counts beside the bar, such as `{read} lines`; `{rate}` is `read` a second. */
  readonly progress: string
  /** The counts at the start. */
  readonly zero: Counts
  /** The result for people. */
  readonly describe: (result: Result, wasStopped: boolean) => string
}

/**
 * Imports a file. The first stop signal ends the reading, the second one the process. A terminal shows progress,
 * unless the output is JSON.
 */
export async function runImport<Counts extends { readonly read: number }, Result extends object>(
  { asJson }: Context,
  input: MeasuredInput,
  { progress: format, zero, describe }: ImportDisplay<Counts, Result>,
  work: (run: ImportRun<Counts>) => Promise<Result>,
): Promise<CommandResult> {
  const bar = input.sizeBytes === undefined ? '' : '{bar} {percentage}% '
  const progress = asJson
    ? undefined
    : showProgress(bar + format, input.sizeBytes ?? 1, { ...zero })
  let days: Days | undefined
  try {
    const [result, wasStopped] = await interruptible(async (signal) => {
      const onDays = (found: Days) => {
        days = found
      }
      const done = await work({ signal, onProgress: progressOf(input, progress), onDays })
      return [done, signal.aborted] as const
    })
    return {
      json: { ...result, ...(days ? { days } : {}), ...(wasStopped ? { interrupted: true } : {}) },
      text: [describe(result, wasStopped), ...describeDays(days)].join('\n'),
      exitCode: wasStopped ? INTERRUPTED : 0,
    }
  } finally {
    progress?.end()
    input.close()
  }
}

function progressOf(input: MeasuredInput, progress: Progress | undefined) {
  const started = performance.now()
  return (counts: { readonly read: number }) =>
    progress?.update(input.readBytes(), { ...counts, rate: rateSince(started, counts.read) })
}

interface Rejections {
  readonly rejected: readonly { readonly line: number; readonly reason: string }[]
  /** How many were rejected, when `rejected` lists only some. */
  readonly rejectedTotal?: number | undefined
}

const SHOWN = 20

function describeDays(days: Days | undefined): string[] {
  if (days === undefined) return []
  const { from, to } = days
  return [`  Days: ${from === to ? from : `${from} to ${to}`}`]
}

/** The first rejected lines for people. */
export function describeRejections({ rejected, rejectedTotal }: Rejections): string[] {
  const shown = rejected.slice(0, SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = (rejectedTotal ?? rejected.length) - shown.length
  return [...shown, ...(more > 0 ? [`  and ${count(more)} more`] : [])]
}

/** The first cells that cannot be read, whose rows were loaded, for people. */
export function describeLeftOut({ leftOut = [] }: { leftOut?: Rejections['rejected'] }): string[] {
  return describeRejections({ rejected: leftOut })
}

/** The counts of an import in one sentence, with the next step after a stop. */
export function describeCounts(counts: string, wasStopped: boolean): string {
  return wasStopped ? `Stopped: ${counts}. Import the file again to continue.` : `${counts}.`
}

/** Rows of an import that replaces stored rows, for people. */
export function describeRows(
  result: Rejections & { readonly read: number; readonly loaded: number },
  wasStopped: boolean,
): string {
  const { read, loaded, rejected, rejectedTotal = rejected.length } = result
  const counts = `${count(loaded)} loaded, ${count(rejectedTotal)} rejected, of ${count(read)} rows`
  return [describeCounts(counts, wasStopped), ...describeRejections(result)].join('\n')
}

/**
 * Records of an import that skips stored records, for people.
 * @param unit "lines", or "records"
 */
export function describeRecords(unit: string) {
  return (
    result: Rejections & {
      readonly read: number
      readonly loaded: number
      readonly skipped: number
    },
    wasStopped: boolean,
  ): string => {
    const { read, loaded, skipped, rejected, rejectedTotal = rejected.length } = result
    const counts = `${count(loaded)} loaded, ${count(skipped)} there already, ${count(rejectedTotal)} rejected, of ${count(read)} ${unit}`
    return [describeCounts(counts, wasStopped), ...describeRejections(result)].join('\n')
  }
}
