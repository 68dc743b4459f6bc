export const first = (texts: string[]): string => texts[0]
