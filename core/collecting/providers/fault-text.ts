import type { AskFaultKind } from './fault.ts'
import { providerNames } from './names.ts'
import type { AskedProvider } from './request.ts'

interface Said {
  readonly kind: AskFaultKind
  /** What the provider says; empty where it says nothing. */
  readonly words: string
  /** Why no answer came; null where one came. */
  readonly failure: string | null
}

const failures: Readonly<Record<string, string>> = {
  dns: 'its name was not found',
  timeout: 'it did not answer in time',
  certificate: 'its certificate is not valid',
}

const of = (words: string) =>
  words === '' ? '.' : `: “${words}”${/[.!?]$/.test(words) ? '' : '.'}`

/** Why a provider gave no answer, in a sentence for people who know no host and no status. */
export function faultText(provider: AskedProvider, { kind, words, failure }: Said): string {
  const name = provider === 'compatible' ? 'the provider' : providerNames[provider]
  const subject = name.charAt(0).toUpperCase() + name.slice(1)
  if (failure !== null) {
    const why = failures[failure] ?? 'there is no connection'
    return `Couldn't reach ${name}: ${why}.`
  }
  switch (kind) {
    case 'key':
      return `${subject} refused this key${of(words)}`
    case 'model':
      return `${subject} refused this model${of(words)}`
    case 'limited':
      return `${subject} takes no more requests with this key for now${of(words)}`
    case 'unavailable':
      return `${subject} had a problem of its own${of(words)}`
    case 'filtered':
    case 'request':
      return `${subject} refused the request${of(words)}`
    case 'address':
      return words === '' ? 'The address cannot be used.' : `The address is wrong${of(words)}`
    case 'unreadable':
      return `What answered at this address does not speak as ${name} does.`
  }
}

/** What to do about a key that got no answer. */
export function faultRemedy({ kind, failure }: Omit<Said, 'words'>): string {
  if (failure !== null)
    return 'Check the connection of the machine that runs Sightline, then try again.'
  switch (kind) {
    case 'key':
      return 'Copy the key again from the settings of your account there, and check that the account has credit.'
    case 'model':
    case 'request':
    case 'filtered':
      return 'Choose another model.'
    case 'limited':
    case 'unavailable':
      return 'Try again later.'
    case 'address':
    case 'unreadable':
      return 'Check the address.'
  }
}
