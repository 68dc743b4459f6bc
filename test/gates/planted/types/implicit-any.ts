export const lengthOf = (value) => value.length
