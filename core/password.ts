import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password, salt, hashBytes, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    ),
  )

/** Of OWASP's equal settings the one with 32 MB a hash. A hash names its own, so that later ones may cost more. */
const cost = { log2: 15, blockSize: 8, parallelization: 3 }
const saltBytes = 16
const hashBytes = 32

export const leastPassword = 10
export const mostPassword = 200

type Cost = typeof cost

/** Two hashes at a time leave threads and cores to everything else. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
let hashes = 0

function deriveFrom(
  password: string,
  salt: Buffer,
  { log2, blockSize, parallelization }: Cost,
): Promise<Buffer> {
  const lane = hashes++ % lanes.length
  const work = () =>
    derive(password.normalize('NFKC'), salt, {
      N: 2 ** log2,
      r: blockSize,
      p: parallelization,
      maxmem: 256 * 2 ** log2 * blockSize,
    })
  const made = (lanes[lane] ?? Promise.resolve()).then(work)
  lanes[lane] = made.catch(() => undefined)
  return made
}

/** The scrypt hash of a password, with its salt and its cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await deriveFrom(password, salt, cost)
  const { log2, blockSize, parallelization } = cost
  const parts = [log2, blockSize, parallelization, salt.toString('base64'), hash.toString('base64')]
  return `scrypt$${parts.join('$')}`
}

/** A hash of no password, so that an unknown account takes as long as a known one. */
const nobody = `scrypt$${cost.log2}$${cost.blockSize}$${cost.parallelization}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`

/** Whether it is the password of the hash. */
export async function isPassword(password: string, stored = nobody): Promise<boolean> {
  const [, log2, blockSize, parallelization, salt = '', hash = ''] = stored.split('$')
  const wanted = Buffer.from(hash, 'base64')
  const given = await deriveFrom(password, Buffer.from(salt, 'base64'), {
    log2: Number(log2),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
  })
  return timingSafeEqual(given, wanted)
}
