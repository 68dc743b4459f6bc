import { fieldFault } from '../core/errors.ts'
import type { AskFaultKind } from '../core/providers/fault.ts'
import type { ProviderAccess } from '../core/providers/request.ts'
import type { PrivateHost } from '../core/sites/private-hosts.ts'
import { AskFault, openAsker } from './ask.ts'

/** The argument that each kind of fault is about. A page in place of JSON is the answer of another address. */
const fieldOf: Readonly<Record<AskFaultKind, string>> = {
  key: 'secret',
  model: 'model',
  request: 'model',
  filtered: 'model',
  address: 'baseUrl',
  unreadable: 'baseUrl',
  // Neither is known to be wrong: the key is what was to be tested.
  limited: 'secret',
  unavailable: 'secret',
}

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
    const text = `did not pass a test call: ${error.message.slice(0, -1)}`
    throw fieldFault('invalid_argument', fieldOf[error.kind], text)
  }
}
