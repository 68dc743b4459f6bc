/** The first bytes of standard input: more is no key and no address. */
export async function readStandardInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > 10_000) break
  }
  return text
}
