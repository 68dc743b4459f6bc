/** Texts about proofs. */
export const proof = {
  copied: 'Copied. Save it as a file, and anyone counts it again with: npx sightline verify FILE',
  saved: 'Saved as a file. Anyone counts it again with: npx sightline verify FILE',
  none: 'The names changed since the answers were counted. Recount them under Settings first.',
} as const
