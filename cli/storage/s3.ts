import { S3mini, type UploadPart } from 's3mini'
import { regionOf } from '../../core/s3-endpoint.ts'
import type { Settings } from '../../core/settings.ts'
import { CliError } from '../errors.ts'
import type { Storage } from './storage.ts'

/** Files up to here go in one request, larger ones in parts of this size. */
const partBytes = 16 * 2 ** 20
/** Parts of a file that is written as it comes: a backup writes several at the same time. */
const streamPartBytes = 8 * 2 ** 20
const requestMs = 300_000
const tries = 4

function usage(message: string): CliError {
  return new CliError('usage', message, { exitCode: 2 })
}

/** `s3://bucket/prefix`, in its parts. */
function partsOf(place: string): { bucket: string; prefix: string } {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(place) ?? []
  if (bucket === undefined) {
    throw usage(`A bucket is given as \`s3://bucket/prefix\`; got \`${place}\`.`)
  }
  const path = prefix.replace(/^\/+|\/+$/g, '')
  return { bucket, prefix: path === '' ? '' : `${path}/` }
}

/** The error of a storage, without its request. */
function failed(place: string, error: unknown): CliError {
  const { message, cause } = error as { message?: string; cause?: { code?: string } }
  const reason = cause?.code ?? message ?? String(error)
  const text = `The storage of ${place} failed: ${reason}. Check S3_ENDPOINT and the keys.`
  return new CliError('storage_failed', text, { cause: error })
}

/** Retries what a network or a busy server refused. A client's mistake fails at its first try. */
async function patiently<T>(place: string, work: () => Promise<T>): Promise<T> {
  const { default: retry, AbortError } = await import('p-retry')
  const once = () =>
    work().catch((error: unknown) => {
      const { status } = error as { status?: number }
      const isOurs = status !== undefined && status >= 400 && status < 500 && status !== 429
      throw isOurs ? new AbortError(error as Error) : error
    })
  return retry(once, {
    retries: tries - 1,
    minTimeout: 500,
    // p-retry takes each TypeError but those of fetch for a mistake in the code.
    shouldRetry: () => true,
  }).catch((error: unknown) => {
    throw failed(place, error)
  })
}

/** Bytes in pieces of one size; the last may be smaller. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    length += chunk.length
    if (length < size) continue
    const all = Buffer.concat(waiting)
    let from = 0
    for (; all.length - from >= size; from += size) yield all.subarray(from, from + size)
    waiting = [all.subarray(from)]
    length = all.length - from
  }
  if (length > 0) yield Buffer.concat(waiting)
}

async function nextOf(parts: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const { done, value } = await parts.next()
  return done ? undefined : value
}

/** @throws {CliError} `usage`, `storage_failed` */
export function openBucket(settings: Settings, place: string): Storage {
  const { bucket, prefix } = partsOf(place)
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    throw usage('Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to write to a bucket.')
  }
  const address = S3_ENDPOINT ?? 'https://s3.us-east-1.amazonaws.com'
  const endpoint = address.replace(/\/*(?:\?.*)?$/, '')
  const client = new S3mini({
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    endpoint: `${endpoint}/${bucket}`,
    region: regionOf(address),
    requestSizeInBytes: partBytes,
    minPartSize: partBytes,
    requestAbortTimeout: requestMs,
  })
  const asked = <T>(work: () => Promise<T>) => patiently(place, work)

  async function writeParts(key: string, parts: AsyncIterator<Buffer>, first: Buffer) {
    const uploadId = await asked(() => client.getMultipartUploadId(key))
    const uploaded: UploadPart[] = []
    try {
      for (let part: Buffer | undefined = first; part; part = await nextOf(parts)) {
        const bytes = part
        const number = uploaded.length + 1
        uploaded.push(await asked(() => client.uploadPart(key, uploadId, bytes, number)))
      }
      await asked(() => client.completeMultipartUpload(key, uploadId, uploaded))
    } catch (error) {
      // Parts that stay cost money, and nobody sees them.
      await client.abortMultipartUpload(key, uploadId).catch(() => undefined)
      throw error
    }
  }

  async function list(): Promise<string[]> {
    const objects = await asked(() => client.listObjects('/', prefix))
    return (objects ?? []).map(({ Key }) => Key.slice(prefix.length))
  }

  return {
    place: `s3://${bucket}/${prefix}`,
    async writeStream(name, bytes) {
      const parts = piecesOf(bytes, streamPartBytes)
      const first = (await nextOf(parts)) ?? Buffer.alloc(0)
      if (first.length >= streamPartBytes) return writeParts(prefix + name, parts, first)
      await asked(async () => void (await client.putObject(prefix + name, first)))
    },
    async readStream(name) {
      const response = await asked(() => client.getObjectResponse(prefix + name))
      return response?.body ?? null
    },
    list,
    async clear() {
      const keys = (await list()).map((name) => prefix + name)
      if (keys.length > 0) await asked(async () => void (await client.deleteObjects(keys)))
    },
    sync: async () => undefined,
    write: (name, bytes) =>
      patiently(place, async () => void (await client.putAnyObject(prefix + name, bytes))),
    read: (name) =>
      patiently(place, async () => {
        const bytes = await client.getObjectArrayBuffer(prefix + name)
        return bytes === null ? null : Buffer.from(bytes)
      }),
    remove: (name) => patiently(place, async () => void (await client.deleteObject(prefix + name))),
  }
}
