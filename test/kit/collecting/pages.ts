/** Two pages of Acme: an answer cites the first, and has read the second. */
export const page = { url: 'https://acme.com/cited', title: 'Cited' }
export const readPage = { url: 'https://acme.com/read', title: 'Read' }
