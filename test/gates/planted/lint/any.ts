export const lengthOf = (value: any): number => value.length
