/** The path without its trailing slash: both spellings are one page. `/` stays. */
export const pathKey = (column: string) =>
  `if(trim(TRAILING '/' FROM ${column}) = '', '/', trim(TRAILING '/' FROM ${column}))`
