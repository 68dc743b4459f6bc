import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CliError } from '../errors.ts'

/** A file to import. */
export interface InputFile {
  /** The bytes from the start, decompressed. Standard input can be read once. */
  open(): AsyncGenerator<Buffer, void>
  /** The size on disk; undefined for standard input. */
  readonly sizeBytes: number | undefined
  /** How many bytes on disk have been read. */
  readBytes(): number
  /** Ends the reading. An open standard input would keep the process alive. */
  close(): void
}

const gzipMagic = Buffer.from([0x1f, 0x8b])

/**
 * Opens a file, or standard input for "-". The first bytes show whether gzip compressed it.
 * @throws {CliError} `file_not_readable`
 */
export async function openInputFile(path: string): Promise<InputFile> {
  const isStdin = path === '-'
  const stats = isStdin ? undefined : await stat(path).catch((error) => unreadable(path, error))
  if (stats?.isDirectory()) unreadable(path, new Error('it is a folder'))
  let stream: Readable | undefined
  let read = 0
  async function* counted(from: Readable): AsyncGenerator<Buffer, void> {
    for await (const chunk of from) {
      read += chunk.length
      yield chunk
    }
  }
  async function* open(): AsyncGenerator<Buffer, void> {
    if (isStdin && stream !== undefined) throw onlyOnce()
    stream = isStdin ? process.stdin : createReadStream(path)
    read = 0
    try {
      yield* unpacked(counted(stream))
    } catch (error) {
      unreadable(path, error)
    }
  }
  return {
    open,
    sizeBytes: stats?.size,
    readBytes: () => read,
    close: () => stream?.destroy(),
  }
}

async function* unpacked(chunks: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  let head = Buffer.alloc(0)
  for (;;) {
    const { done, value } = await chunks.next()
    if (!done) head = Buffer.concat([head, value])
    if (done || head.length >= gzipMagic.length) break
  }
  async function* whole() {
    yield head
    yield* chunks
  }
  const isPacked = head.subarray(0, gzipMagic.length).equals(gzipMagic)
  yield* isPacked ? pipeline(whole, createGunzip(), new PassThrough(), () => undefined) : whole()
}

const mostSmallBytes = 1024 * 1024

/**
 * The text of a file of at most 1 MiB, or of standard input for "-".
 * @throws {CliError} `file_not_readable`
 */
export async function readSmallFile(path: string): Promise<string> {
  const file = await openInputFile(path)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of file.open()) {
      parts.push(part)
      size += part.length
      if (size > mostSmallBytes) throw new Error('it is longer than 1 MiB')
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch (error) {
    if (error instanceof CliError) throw error
    return unreadable(path, error)
  } finally {
    file.close()
  }
}

function onlyOnce(): CliError {
  const message =
    'Standard input begins like a log that was imported before, and then differs. It must be read again from its ' +
    'start: give the log as a file.'
  return new CliError('input_only_once', message)
}

/** In place of the words of the operating system. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
}

function unreadable(path: string, error: unknown): never {
  const { message, code = '' } = error as NodeJS.ErrnoException
  const reason = reasons[code] ?? message
  throw new CliError('file_not_readable', `${path} cannot be read: ${reason}`, { cause: error })
}
