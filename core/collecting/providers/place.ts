/** A place to ask from. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string
  readonly city: string | null
  readonly region: string | null
}

/** Where a question is asked from, and the language of its answer. */
export interface AskedFrom {
  readonly place: Place | null
  /** BCP 47 tag. */
  readonly language: string | null
}

export const anywhere: AskedFrom = { place: null, language: null }

const nameOf = (type: 'region' | 'language', code: string) =>
  new Intl.DisplayNames('en', { type }).of(code) ?? code

/** The place as APIs take it that know one. */
export function userLocation({ countryCode: country, city, region }: Place) {
  return { country, ...(region && { region }), ...(city && { city }) }
}

/** The place and the language in words, for what an API has no parameter for; null for neither. */
export function hintOf({ place, language }: AskedFrom): string | null {
  const hints = []
  if (place) {
    const names = [place.city, place.region, nameOf('region', place.countryCode)]
    hints.push(`The user is in ${names.filter(Boolean).join(', ')}.`)
  }
  if (language) hints.push(`Answer in ${nameOf('language', language)}.`)
  return hints.length === 0 ? null : hints.join(' ')
}
