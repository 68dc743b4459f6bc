type Part = string | number | boolean | null | readonly Part[] | { readonly [key: string]: Part }

/** An object as JSON columns take it. */
export interface StoredObject {
  readonly [key: string]: Part
}

/** What a JSON column holds. Only our own code writes these columns, so their rows are what `asStored` took. */
export const storedAs = <Value>(json: unknown): Value => json as Value

/** An object of plain values for a JSON column. */
export const asStored = (value: object): StoredObject => value as StoredObject
