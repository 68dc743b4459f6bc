import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, type open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { syncFolder } from '../../disk/durable-file.ts'
import { type BackupFile, damaged } from './manifest.ts'

/** Writes the files of a backup (0600), each synced to disk. */
export class BackupWriter {
  readonly dir: string
  readonly files: BackupFile[] = []
  readonly #folders = new Set<string>()

  constructor(dir: string) {
    this.dir = dir
  }

  /** Writes a file; with the ending `.zst` it is compressed. */
  async write(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const place = join(this.dir, path)
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    this.#folders.add(dirname(place))
    const hash = createHash('sha256')
    let sizeBytes = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        sizeBytes += chunk.length
        done(null, chunk)
      },
    })
    const target = createWriteStream(place, { flags: 'wx', mode: 0o600, flush: true })
    const bytes = Readable.from(source, { objectMode: false })
    if (path.endsWith('.zst')) await pipeline(bytes, createZstdCompress(), measure, target)
    else await pipeline(bytes, measure, target)
    this.files.push({ path, sizeBytes, sha256: hash.digest('hex') })
  }

  /** Makes the names of all files survive a power cut. */
  async sync(): Promise<void> {
    for (const folder of [...this.#folders, this.dir, dirname(this.dir)]) await syncFolder(folder)
  }
}

/** The bytes of a file of a backup, decompressed. */
export function readBackupFile(dir: string, path: string): Readable {
  const file = createReadStream(join(dir, path))
  if (!path.endsWith('.zst')) return file
  const plain = createZstdDecompress()
  // An error reaches the reader of the plain bytes.
  pipeline(file, plain).catch(() => undefined)
  return plain
}

/**
 * Compares each file with its size and checksum.
 * @throws {CliError} `backup_damaged` names the first file that is missing or changed
 */
export async function verifyFiles(dir: string, files: readonly BackupFile[]): Promise<void> {
  for (const { path, sizeBytes, sha256 } of files) {
    const place = join(dir, path)
    const found = await stat(place).catch(() => undefined)
    if (found?.size !== sizeBytes) throw damaged(place)
    const hash = createHash('sha256')
    await pipeline(createReadStream(place), hash)
    if (hash.digest('hex') !== sha256) throw damaged(place)
  }
}

/** The bytes of an open file up to `end`, which no longer change. */
export async function* bytesUpTo(
  file: Awaited<ReturnType<typeof open>>,
  end: number,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < end; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(2 ** 20, end - at)), {
      position: at,
    })
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
