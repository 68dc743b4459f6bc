import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import etag from 'etag'
import fresh from 'fresh'

/** A file of a page, or a document. */
export interface Asset {
  readonly contentType: string
  read(): Promise<string | Buffer>
}

interface Packed {
  readonly plain: Buffer
  readonly zipped: Buffer
  readonly tag: string
}

const packed = new WeakMap<Asset, Promise<Packed>>()

async function pack(asset: Asset): Promise<Packed> {
  const plain = Buffer.from(await asset.read())
  // One ETag for both encodings of the same content.
  return {
    plain,
    zipped: await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
    tag: etag(plain, { weak: true }),
  }
}

/** Reads and compresses an asset at its first request. */
function packedOf(asset: Asset): Promise<Packed> {
  const known = packed.get(asset) ?? pack(asset)
  packed.set(asset, known)
  return known
}

/** Sends an asset; 304 for a matching ETag, headers only for `HEAD`. */
export async function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  asset: Asset,
  headers: Record<string, string> = {},
): Promise<void> {
  const { plain, zipped, tag } = await packedOf(asset)
  const isZipped = request.headers['accept-encoding']?.includes('gzip') ?? false
  const body = isZipped ? zipped : plain
  response.appendHeader('Vary', 'Accept-Encoding')
  const common = { ...headers, ETag: tag, 'Cache-Control': 'no-cache' }
  if (fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag: tag })) {
    response.writeHead(304, common).end()
    return
  }
  response.writeHead(200, {
    ...common,
    ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    'Content-Type': asset.contentType,
    'Content-Length': body.length,
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
