const english = (count: number) => count.toLocaleString('en')

/** A count with its noun: "1 answer", "1,200 answers". */
export function counted(count: number, noun: string, written = english): string {
  return `${written(count)} ${noun}${count === 1 ? '' : 's'}`
}
