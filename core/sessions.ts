/** How long a sign-in by the provider of an organisation lasts. */
export const sessionMs = 12 * 60 * 60 * 1000

/** A person whom a provider of sign-ins knows may join these workspaces. */
export interface OpenInvitation {
  readonly id: string
  readonly workspace: string
  readonly role: string
}

/** A sign-in: a key for the browser, or the invitations of a person who is no member yet. */
export type SignedIn =
  | { readonly key: string; readonly expiresAt: Date }
  | { readonly invitations: readonly OpenInvitation[] }
