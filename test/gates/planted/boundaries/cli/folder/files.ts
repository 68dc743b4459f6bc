export const folder = '.'
