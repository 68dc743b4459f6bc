import { fieldFault } from '../core/errors.ts'
import type { ProviderAccess } from '../core/providers/request.ts'
import type { PrivateHost } from '../core/sites/private-hosts.ts'
import { AskFault, openAsker } from './ask.ts'

/** The argument that each kind of fault is about. */
const fieldOf = { key: 'secret', request: 'model', address: 'baseUrl' } as const

/**
 * Asks a provider for a few tokens.
 * @throws {Fault} `invalid_argument` about the argument that the provider refuses
 */
export async function testKey(
  access: ProviderAccess,
  privateHosts: readonly PrivateHost[],
): Promise<void> {
  try {
    await openAsker(privateHosts).test(access)
  } catch (error) {
    if (!(error instanceof AskFault)) throw error
    const { kind, message } = error
    const known = kind === 'key' || kind === 'request' || kind === 'address'
    const text = `did not pass a test call: ${message.slice(0, -1)}`
    throw fieldFault('invalid_argument', known ? fieldOf[kind] : 'secret', text)
  }
}
