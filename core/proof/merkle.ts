import { createHash } from 'node:crypto'

export const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const [ofLeaf, ofPair] = [Uint8Array.of(0), Uint8Array.of(1)]

export const leafHash = (text: string): string => sha256(ofLeaf, text).toString('hex')

/**
 * The root of a Merkle tree over leaves, as hexadecimal texts.
 * @see RFC 6962, section 2.1
 */
export function merkleRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) return sha256('').toString('hex')
  let level: readonly Buffer[] = leaves.map((leaf) => Buffer.from(leaf, 'hex'))
  // A last one without a pair goes up, which gives the tree of the RFC.
  while (level.length > 1) {
    const below = level
    level = below.flatMap((left, at) => {
      if (at % 2 === 1) return []
      const right = below[at + 1]
      return [right ? sha256(ofPair, left, right) : left]
    })
  }
  return (level[0] ?? sha256('')).toString('hex')
}
