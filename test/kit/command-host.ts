// Runs commands one after another in one process: what they import is loaded once.
import { Readable } from 'node:stream'

/** A command for the host. */
export interface HostedCommand {
  readonly args: readonly string[]
  /** All variables that the command sees. */
  readonly env: Record<string, string>
  /** Standard input, in base64. */
  readonly input: string
}

const encoding = 'utf8'
const pieceBytes = 65_536
let count = 0

async function runHosted({ args, env, input }: HostedCommand) {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  Object.defineProperty(process, 'stdin', { value: piped(input), configurable: true })
  const stdout = captured(process.stdout)
  const stderr = captured(process.stderr)
  try {
    // A new query evaluates the file again, and with it the command line.
    await import(`../../cli/main.ts?command=${count++}`)
  } catch (error) {
    process.stderr.write(`${error}\n`)
    process.exitCode = 1
  }
  return { code: Number(process.exitCode ?? 0), stdout: stdout(), stderr: stderr() }
}

/** Bytes as a pipe gives them, in pieces. */
function piped(base64: string): Readable {
  const bytes = Buffer.from(base64, 'base64')
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, n) =>
    bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
  )
  return Readable.from(pieces)
}

/** Collects what is written to a stream until the returned function is called. */
function captured(stream: NodeJS.WriteStream): () => string {
  const { write } = stream
  const chunks: string[] = []
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString(encoding))
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
  return () => {
    stream.write = write
    return chunks.join('')
  }
}

process.on('message', async (command: HostedCommand) => {
  process.send?.(await runHosted(command))
})
process.once('disconnect', () => process.exit())
