import { fileBodyBytes } from '../../core/json.ts'
import type { ImportResult } from '../../imports/loads/runner.ts'
import { builder } from '../kit/builder.ts'

/** A request waits less than a command for the project to be free: it fails soon, and may be retried. */
export const requestWaitMs = 10_000

/** For a mutation that takes a file: the largest body of its request. */
export const takesFile = { largestBodyBytes: fileBodyBytes } as const

const pieceBytes = 64 * 1024

/** The text of an argument as the bytes of a file, in pieces: other requests run between them. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

const mostNameCharacters = 200

export const fileNameArg = builder.args((t) => ({
  file: t.string({ description: 'Name of the file, for the list of imports.' }),
}))

/** The name of a file, for the list of imports. */
export const fileName = (given: string | null | undefined) =>
  given?.slice(0, mostNameCharacters) || null

export const rejectedLine = builder
  .objectRef<ImportResult['rejected'][number]>('RejectedLine')
  .implement({
    description: 'A line of an import that was not loaded.',
    fields: (t) => ({
      line: t.expose('line', { type: 'Int', description: 'Line, from 1.' }),
      reason: t.exposeString('reason', { description: 'Faults of the line, by field.' }),
    }),
  })
