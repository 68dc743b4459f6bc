import { CliError } from '../errors.ts'
import { openInputFile } from './input-file.ts'

const mostBytes = 1024 * 1024

/**
 * The text of a small file, or of standard input for "-".
 * @throws {CliError} `file_not_readable`
 */
export async function readProfileFile(path: string): Promise<string> {
  const file = await openInputFile(path)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of file.open()) {
      parts.push(part)
      size += part.length
      if (size > mostBytes) throw new Error('it is longer than 1 MiB')
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch (error) {
    if (error instanceof CliError) throw error
    const message = `${path} cannot be read: ${(error as Error).message}`
    throw new CliError('file_not_readable', message, { cause: error })
  } finally {
    file.close()
  }
}
