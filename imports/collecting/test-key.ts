import type { AskFaultKind } from '../../core/collecting/providers/fault.ts'
import { faultRemedy, faultText } from '../../core/collecting/providers/fault-text.ts'
import { type ProviderAccess, providerTerms } from '../../core/collecting/providers/request.ts'
import { Fault } from '../../core/errors.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
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

/** What a test call found. */
export interface KeyTest {
  /** Why the key did not pass, in a sentence; null where it did. */
  readonly problem: string | null
  /** The provider refuses the key or its model. Otherwise a later call may pass. */
  readonly isRefused: boolean
  /** The argument that is wrong. */
  readonly field: string
  readonly remedy: string
}

/** No provider has a name of RFC 2606. */
const isReserved = (address: string) => /\.example$/.test(URL.parse(address)?.hostname ?? '')

/** Asks a provider for a few tokens. */
export async function tryKey(
  access: ProviderAccess,
  privateHosts: readonly PrivateHost[],
): Promise<KeyTest> {
  try {
    await openAsker(privateHosts).test(access)
    return { problem: null, isRefused: false, field: 'secret', remedy: '' }
  } catch (error) {
    if (!(error instanceof AskFault)) throw error
    const { kind, endsKey: isRefused } = error
    const isOwnAddress = access.baseUrl !== providerTerms[access.provider].baseUrl
    const named = fieldOf[kind]
    const field = named === 'baseUrl' && !isOwnAddress ? 'secret' : named
    if (isReserved(access.baseUrl)) {
      const problem = 'This is a key of the demo: its invented provider answers only during a run.'
      return { problem, isRefused: false, field, remedy: '' }
    }
    // Whoever gave an address knows its host, and needs it to see what is wrong.
    const problem =
      isOwnAddress && (kind === 'address' || error.failure !== null)
        ? error.message
        : faultText(access.provider, error)
    return { problem, isRefused, field, remedy: faultRemedy(error) }
  }
}

/**
 * Asks a provider for a few tokens.
 * @throws {Fault} `invalid_argument` about the argument that the provider refuses
 */
export async function testKey(
  access: ProviderAccess,
  privateHosts: readonly PrivateHost[],
): Promise<void> {
  const { problem, field, remedy: howToFix } = await tryKey(access, privateHosts)
  if (problem === null) return
  const message = `${problem} The key was not stored.`
  throw new Fault('invalid_argument', message, {
    extras: {
      details: { formErrors: [], fieldErrors: { [field]: [message] } },
      howToFix,
    },
  })
}

/** The models that a provider lists for a key; null where it has no list, or does not give it. */
export async function listModels(
  access: Omit<ProviderAccess, 'model'>,
  privateHosts: readonly PrivateHost[],
): Promise<readonly string[] | null> {
  try {
    return await openAsker(privateHosts).models({ ...access, model: '' })
  } catch (error) {
    if (error instanceof AskFault) return null
    throw error
  }
}
