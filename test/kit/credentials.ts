import { baseUrlOf, readSettings } from '../../core/settings.ts'
import { cookiesOf } from '../../web/sign-in/cookies.ts'

const cookies = cookiesOf(baseUrlOf(readSettings({})))

/** The cookie of a session, as a browser keeps it. */
export const cookieOf = (token: string) => cookies.set('session', token, 60).split(';')[0] ?? ''

/** The headers of a request with an API key, or of a page of the service whose browser has a session. */
export function credentials(key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  return key.startsWith('sgs_')
    ? { cookie: cookieOf(key), 'sec-fetch-site': 'same-origin' }
    : { authorization: `Bearer ${key}` }
}
