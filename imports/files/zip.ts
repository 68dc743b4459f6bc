import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { invalid } from '../../core/errors.ts'
import { wholeFile } from './whole.ts'

const mebibyte = 1024 * 1024
const mostFiles = 1000
const mostUnpackedBytes = 1024 * mebibyte
const mostMebibytes = 256

/** One file of an archive. */
export interface ZippedFile {
  /** With its folders, such as `export/Dates.csv`. */
  readonly name: string
  open(): AsyncIterable<Uint8Array>
}

export const isZip = (head: Uint8Array) => Buffer.from(head.subarray(0, 4)).equals(signature)

const signature = Buffer.from([0x50, 0x4b, 0x03, 0x04])

/**
 * The files of a ZIP archive, without its folders. Memory holds the archive packed: its directory stands at its end.
 * @throws {Fault} `invalid_argument` for a broken archive, and for one over 256 MiB, or over 1 GiB unpacked
 */
export async function zippedFiles(bytes: AsyncIterable<Uint8Array>): Promise<ZippedFile[]> {
  const packed = await wholeFile(bytes, {
    field: 'content',
    what: 'a ZIP archive',
    mostMebibytes,
    advice: 'import its files one by one',
  })
  const archive = await orRefused(() => fromBufferPromise(packed))
  if (archive.entryCount > mostFiles) {
    throw invalid('content', `is a ZIP archive of more than ${mostFiles} files`)
  }
  const entries = await orRefused(() => entriesOf(archive))
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  if (unpackedBytes > mostUnpackedBytes) {
    throw invalid('content', 'is a ZIP archive of more than 1 GiB: import its files one by one')
  }
  const files = entries.filter(({ fileName }) => !fileName.endsWith('/'))
  return files.map((entry) => ({ name: entry.fileName, open: () => contentOf(archive, entry) }))
}

async function entriesOf(archive: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of archive.eachEntry()) entries.push(entry)
  return entries
}

/** The package checks sizes while it reads, so that no file unpacks to more than the directory says. */
async function* contentOf(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void> {
  const stream = await orRefused(() => archive.openReadStreamPromise(entry))
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  for (;;) {
    const { done, value } = await orRefused(() => chunks.next())
    if (done) return
    yield value
  }
}

async function orRefused<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    throw invalid('content', `is a ZIP archive that cannot be read: ${(error as Error).message}`)
  }
}
