const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID. Other texts are never ids: report them as not found. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
