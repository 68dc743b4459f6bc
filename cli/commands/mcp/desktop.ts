import { relay } from './relay.ts'

/**
 * What the bundle for Claude Desktop starts: `sightline mcp` without a service on the computer. Its address and its key come
 * from the form that the client shows.
 */
const { SIGHTLINE_URL = '', SIGHTLINE_KEY = '' } = process.env

await relay({
  input: process.stdin,
  output: process.stdout,
  whenDown: `Sightline does not answer at ${SIGHTLINE_URL}. Check its address in the settings of this extension.`,
  connect: async () => ({ url: SIGHTLINE_URL, key: SIGHTLINE_KEY }),
})
