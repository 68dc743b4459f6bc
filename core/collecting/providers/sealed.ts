import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** A signing secret signs; the key that seals is derived from it, so neither says anything of the other. */
const keyOf = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'sightline provider key', 32))

/**
 * Encrypts a secret with AES-256-GCM: 12 bytes of nonce, the text, 16 bytes of tag.
 * @param place where the bytes are kept: they open nowhere else
 */
export function sealSecret(
  signingSecret: string,
  place: string,
  text: string,
): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(signingSecret), iv)
  cipher.setAAD(Buffer.from(place))
  const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return new Uint8Array(Buffer.concat(sealed))
}

/**
 * Opens what any of the secrets has sealed.
 * @returns null where none has, as after the loss of `secrets.json`
 */
export function openSecret(
  signingSecrets: readonly string[],
  place: string,
  sealed: Uint8Array,
): { readonly text: string; readonly isOld: boolean } | null {
  const bytes = Buffer.from(sealed)
  for (const [at, secret] of signingSecrets.entries()) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, ivBytes))
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      const text = decipher.update(bytes.subarray(ivBytes, -tagBytes))
      return { text: Buffer.concat([text, decipher.final()]).toString('utf8'), isOld: at > 0 }
    } catch {
      // Sealed with another secret, or changed.
    }
  }
  return null
}
