import type { Change } from './detector.ts'

/** Whose change it is: the brand's own, that of the AI platforms, or too little data to say. */
export type Attribution = 'you' | 'assistant' | 'unknown'

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
