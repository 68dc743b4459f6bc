// Runs commands one after another in one process: what they import is loaded once.

/** A command for the host. */
export interface HostedCommand {
  readonly args: readonly string[]
  /** All variables that the command sees. */
  readonly env: Record<string, string>
}

const encoding = 'utf8'
let count = 0

async function runHosted({ args, env }: HostedCommand) {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
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
