import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const derive = (password: string, salt: Buffer, bytes: number) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, bytes, (error, key) => (error ? reject(error) : resolve(key)))
  })

const saltBytes = 16
const hashBytes = 32

/** A password as it is stored: salt and scrypt hash, in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password.normalize('NFC'), salt, hashBytes)
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/** Whether a password is the stored one. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split('.')
  const expected = Buffer.from(hash, 'base64url')
  const given = await derive(
    password.normalize('NFC'),
    Buffer.from(salt, 'base64url'),
    expected.length,
  )
  return timingSafeEqual(given, expected)
}
