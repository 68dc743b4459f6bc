/** The service, and the key of all requests. */
const { SIGHTLINE_URL = 'http://127.0.0.1:4000', SIGHTLINE_KEY = '' } = process.env

export const endpoint = `${SIGHTLINE_URL}/graphql`
export const headers = { authorization: `Bearer ${SIGHTLINE_KEY}` }

/** A new key for each change that a person makes. A repeated request sends the same. */
export const newKey = () => crypto.randomUUID()

export const say = (text: string) => process.stdout.write(`${text}\n`)

interface Problem {
  readonly code?: string
  readonly message?: string
  /** Null for a fault of the whole input. */
  readonly fields?: readonly {
    readonly path?: string | null | undefined
    readonly message: string
  }[]
}

/** What a person reads where a change was refused. */
export function textOf({ code, message, fields = [] }: Problem): string {
  const wrong = fields.map((field) => `${field.path ?? 'input'}: ${field.message}`)
  return [`${code}: ${message}`, ...wrong].join('\n')
}
