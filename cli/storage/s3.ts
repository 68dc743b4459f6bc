import { S3mini } from 's3mini'
import type { Settings } from '../../core/settings.ts'
import { CliError } from '../errors.ts'
import type { Storage } from './storage.ts'

/** Files up to here go in one request, larger ones in parts of this size. */
const partBytes = 16 * 2 ** 20
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
  const text = `The storage of ${place} failed: ${reason}. Check S3_ENDPOINT, S3_REGION and the keys.`
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

/** @throws {CliError} `usage`, `storage_failed` */
export function openBucket(settings: Settings, place: string): Storage {
  const { bucket, prefix } = partsOf(place)
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    throw usage('Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to write to a bucket.')
  }
  const endpoint = (S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`).replace(/\/+$/, '')
  const client = new S3mini({
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    endpoint: `${endpoint}/${bucket}`,
    region: S3_REGION,
    requestSizeInBytes: partBytes,
    minPartSize: partBytes,
    requestAbortTimeout: requestMs,
  })
  return {
    place: `s3://${bucket}/${prefix}`,
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
