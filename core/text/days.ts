/** Spaces of other widths than that of a keyboard are lost when a title is typed or searched for. */
const plainSpaces = (text: string) => text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ')

/** A day as people write it: "30 Oct 2026". */
export const dayText = (day: string | Date, locale = 'en-GB'): string => daysText(day, day, locale)

/** Days as people write them: "30 Oct – 28 Nov 2026". */
export function daysText(from: string | Date, to: string | Date, locale = 'en-GB'): string {
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return plainSpaces(format.formatRange(new Date(from), new Date(to)))
}
