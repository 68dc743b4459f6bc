import type { Change } from './detector.ts'

export const attributions = {
  you: 'Other brands did not move with yours.',
  assistant: 'The assistant changed; other brands moved too.',
  unknown: 'Too few answers to know whether you or the assistant changed.',
} as const

export type Attribution = keyof typeof attributions

/**
 * Whose change it is, by the drift canary.
 * @param control changes of brands that nobody works on, in the same direction
 * @param difference changes of the brand minus those
 */
export function attributionOf(
  change: Change,
  { control, difference }: Record<'control' | 'difference', readonly Change[]>,
): Attribution {
  const isSame = ({ since, openedOn }: Change) =>
    since <= change.openedOn && openedOn >= change.since
  if (difference.some(isSame)) return 'you'
  return control.some(isSame) ? 'assistant' : 'unknown'
}
