import { type LoggerOptions, stdSerializers } from 'pino'
import { requestFields } from './spans.ts'

/** Values in the texts of errors: of a statement, of a row in conflict, of a body that is no JSON. */
const values: readonly [RegExp, string][] = [
  [/(Code: \d+\. DB::Exception: ).*?(?=\([A-Z_]+\)|\n {4}at |$)/gs, '$1… '],
  [/Key \(([^)]*)\)=\(.*?\)(?= (?:already|is|conflicts)|\n|$)/gs, 'Key ($1)=(…)'],
  [/(Unexpected .*?), ?".*?" is not valid JSON/gs, '$1 is not valid JSON'],
  [/Unexpected token '.*?'/gs, 'Unexpected token'],
]

/** The text of an error, without what a person typed or sent. */
export function withoutValues(text: string): string {
  return values.reduce((left, [pattern, safe]) => left.replace(pattern, safe), text)
}

/** The error for the log: its kind, code, text and stack, without the fields that packages add. */
function logged(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutValues(String(error))
  const { type, message, stack, code }: Readonly<Record<string, unknown>> =
    stdSerializers.err(error)
  const safe = (text: unknown) => withoutValues(String(text ?? ''))
  return {
    type,
    message: safe(message),
    stack: safe(stack),
    ...(code === undefined ? {} : { code }),
  }
}

/** Options of the log of a part: each line of a request has its id, and no error shows a value. */
export const logOptions: LoggerOptions = { mixin: requestFields, serializers: { err: logged } }
