import { invalid } from '../../core/errors.ts'

const mebibyte = 1024 * 1024

/**
 * A whole file in memory.
 * @param what the kind of file, for the sentence
 * @param advice what to do with a larger file
 * @throws {Fault} `invalid_argument` for a file over `mostMebibytes`
 */
export async function wholeFile(
  bytes: AsyncIterable<Uint8Array>,
  { field, what, mostMebibytes, advice }: WholeFile,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size > mostMebibytes * mebibyte) {
      throw invalid(field, `is ${what} of more than ${mostMebibytes} MiB: ${advice}`)
    }
  }
  return Buffer.concat(parts)
}

export interface WholeFile {
  /** The argument that has the file. */
  readonly field: string
  /** Such as "a JSON document". */
  readonly what: string
  readonly mostMebibytes: number
  readonly advice: string
}

/**
 * The value of a JSON document in UTF-8.
 * @throws {Fault} `invalid_argument`
 */
export function parsedDocument(field: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw invalid(field, `is not valid JSON: ${(error as Error).message.toWellFormed()}`)
  }
}
