/** Of the file of a brand's logo. */
export const mostLogoBytes = 200_000

/** Characters of the password of a link. */
export const leastPasswordCharacters = 8
export const mostPasswordCharacters = 200
