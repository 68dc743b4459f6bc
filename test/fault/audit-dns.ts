// Loaded before the worker of a test: answers of DNS of an attacker who owns `shop.test`. No other name exists.
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'

/** Public, and assigned to nobody since 2006. */
const nobody = '3ffe::1'

/** Addresses of a name at each look, the last ones from then on. */
const zone: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'rebind.shop.test': [[nobody], ['127.0.0.1']],
  'mixed.shop.test': [[nobody, '10.0.0.1']],
  'inner.shop.test': [['10.0.0.1']],
  'metadata.shop.test': [['169.254.169.254']],
  'mapped.shop.test': [['::ffff:127.0.0.1']],
}
const looks = new Map<string, number>()

const lookup = async (name: string) => {
  const look = looks.get(name) ?? 0
  looks.set(name, look + 1)
  const answers = zone[name]
  const found = answers?.[look] ?? answers?.at(-1)
  if (!found) throw Object.assign(new Error(`${name} does not exist`), { code: 'ENOTFOUND' })
  return found.map((address) => ({ address, family: isIP(address) }))
}
Object.assign(dns, { lookup })
syncBuiltinESMExports()
