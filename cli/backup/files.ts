import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Storage } from '../storage/storage.ts'
import { type BackupFile, damaged } from './manifest.ts'

/** Writes the files of a backup. */
export class BackupWriter {
  readonly storage: Storage
  readonly files: BackupFile[] = []

  constructor(storage: Storage) {
    this.storage = storage
  }

  /** Writes a file; with the ending `.zst` it is compressed. */
  async write(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const hash = createHash('sha256')
    let sizeBytes = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        sizeBytes += chunk.length
        done(null, chunk)
      },
    })
    const target = (chunks: AsyncIterable<Buffer>) => this.storage.writeStream(path, chunks)
    const bytes = Readable.from(source, { objectMode: false })
    if (path.endsWith('.zst')) await pipeline(bytes, createZstdCompress(), measure, target)
    else await pipeline(bytes, measure, target)
    this.files.push({ path, sizeBytes, sha256: hash.digest('hex') })
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
