import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { post } from './session.ts'

/** Passkeys are of a name: no browser makes one for an IP address. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window &&
  window.isSecureContext &&
  !/^[\d.]+$|^\[/.test(location.hostname)

/** Loaded with the first passkey. */
const webauthn = () => import('@simplewebauthn/browser')

/** Signs in by a passkey of this device. */
export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>('/sign-in/passkey/options')
  const { startAuthentication } = await webauthn()
  await post('/sign-in/passkey', await startAuthentication({ optionsJSON }))
}

/** Makes a passkey on this device. @returns what the service stores of it */
export async function makePasskey(path: string, body: object = {}): Promise<object> {
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>(path, body)
  const { startRegistration } = await webauthn()
  return startRegistration({ optionsJSON })
}
