const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text can be an id at all: whatever is not a UUID is simply not found. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
