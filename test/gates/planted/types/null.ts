export const lengthOf = (text: string | null) => text.length
