/** Texts of the sign-in, of invitations and of the reader's own account. */
export const signIn = {
  title: 'Sign in',
  toConnect: 'Sign in to connect your AI client.',
  lead: 'Sightline shows how AI platforms talk about your brand.',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  or: 'or',
  passkey: 'Sign in with a passkey',
  organisation: 'Sign in with your organisation',
  useKey: 'Use an API key',
  usePassword: 'Use a password',
  key: 'API key',
  malformed: 'An API key starts with “sgl_” followed by letters and digits.',
  cancelled: 'No passkey was chosen.',
  usedCode:
    'This link was used, or is older than ten minutes. Run “npx sightline open” for a new one.',
  hint: 'Started Sightline on this computer? “npx sightline open” signs you in.',
  forgot: 'Forgot your password?',
  back: 'Back to the sign-in',
  forgotTitle: 'Choose a new password',
  forgotLead: 'We mail you a link that works for an hour.',
  mailLink: 'Mail me a link',
  mailed: (email: string) =>
    `If ${email} has an account here, a link is on its way. Look among the spam too.`,
  forgotten:
    'Forgot your password? Whoever runs Sightline gets you a link with “npx sightline user reset-password”.',
} as const

export const join = {
  title: (workspace: string) => `Join ${workspace}`,
  missing: 'This invitation is over',
  as: (email: string, role: string) => `${email} is invited as ${role}.`,
  choose: 'Choose how you will sign in.',
  newPassword: 'Choose a password',
  passwordHint: 'At least 10 characters.',
  withPassword: 'Join with this password',
  withPasskey: 'Join with a passkey',
  withOrganisation: 'Join with your organisation',
  accept: 'Accept the invitation',
  known: (email: string) => `${email} has an account here. Sign in, then accept.`,
  other: (email: string) =>
    `You are signed in with another address. Sign out, and open this link again as ${email}.`,
  signOut: 'Sign out',
} as const

export const reset = {
  title: 'Choose a new password',
  lead: 'Your other browsers are signed out when it changes.',
  next: 'New password',
  save: 'Save and sign in',
} as const

export const account = {
  title: 'Your account',
  email: (email: string) => `Signed in as ${email}`,
  byKey: 'Signed in with an API key. Passwords and passkeys belong to people.',
  password: 'Password',
  noPassword: 'You have no password yet.',
  passwordLead: 'Your other browsers are signed out when it changes.',
  current: 'Present password',
  next: 'New password',
  save: 'Save password',
  saved: 'Your password is saved.',
  passkeys: 'Passkeys',
  passkeysLead: 'Sign in with your fingerprint, your face or the lock of your device.',
  noPasskeys: 'No passkey yet.',
  noPasskeysHere:
    'Passkeys need an address with a name, such as http://localhost:4000 or one with https.',
  addPasskey: 'Add a passkey',
  passkey: 'Passkey',
  passkeyName: (id: string) => `…${id.slice(-6)}`,
  remove: 'Remove',
  removeAsk: 'You cannot sign in with this passkey any more.',
} as const
