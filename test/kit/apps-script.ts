import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

/**
 * A stand-in for Google's Apps Script: it runs a script as a file of its own, with the services that our scripts call.
 * Requests go to the service, and block as they do at Google, so it is a process of its own. Prints what each expression
 * gives, or the message that it throws.
 */

interface Job {
  readonly file: string
  /** Texts of the script that are replaced, such as a number of rows. */
  readonly replaced: Readonly<Record<string, string>>
  readonly properties: Readonly<Record<string, string>>
  readonly expressions: readonly string[]
}

interface FetchOptions {
  readonly method: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

const { port1: port, port2 } = new MessageChannel()
const answered = new Int32Array(new SharedArrayBuffer(4))
const fetching = `
const { workerData: { port, answered } } = require('node:worker_threads')
port.on('message', async ({ url, ...options }) => {
  const reply = await fetch(url, options)
  port.postMessage({ status: reply.status, text: await reply.text() })
  Atomics.store(answered, 0, 1)
  Atomics.notify(answered, 0)
})`

function fetchAsGoogle(url: string, { method, contentType, headers, payload }: FetchOptions) {
  Atomics.store(answered, 0, 0)
  const body = { method, headers: { ...headers, 'content-type': contentType }, body: payload }
  port.postMessage({ url, ...body })
  Atomics.wait(answered, 0, 0)
  const { status, text } = receiveMessageOnPort(port)?.message ?? {}
  return { getResponseCode: () => status, getContentText: () => text }
}

function run({ file, replaced, properties, expressions }: Job): unknown[] {
  const stored = new Map(Object.entries(properties))
  const kept = {
    getProperty: (name: string) => stored.get(name) ?? null,
    setProperty: (name: string, value: string) => stored.set(name, value),
    deleteProperty: (name: string) => stored.delete(name),
  }
  const userError = {
    text: '',
    setText(text: string) {
      this.text = text
      return this
    },
    throwException() {
      throw new Error(this.text)
    },
  }
  const context = createContext({
    UrlFetchApp: { fetch: fetchAsGoogle },
    PropertiesService: { getScriptProperties: () => kept, getUserProperties: () => kept },
    Utilities: { formatDate: (date: Date) => date.toISOString().slice(0, 10) },
    SpreadsheetApp: { getActive: () => ({ getSpreadsheetTimeZone: () => 'Etc/UTC' }) },
    DataStudioApp: { createCommunityConnector: () => ({ newUserError: () => userError }) },
  })
  let code = readFileSync(file, 'utf8')
  for (const [text, other] of Object.entries(replaced)) code = code.replace(text, other)
  runInContext(code, context)
  return expressions.map((expression) => {
    try {
      return runInContext(expression, context) ?? null
    } catch (error) {
      return { thrown: (error as Error).message }
    }
  })
}

if (import.meta.main) {
  const workerData = { port: port2, answered }
  const worker = new Worker(fetching, { eval: true, workerData, transferList: [port2] })
  process.stdout.write(JSON.stringify(run(JSON.parse(process.argv[2] ?? ''))))
  await worker.terminate()
  port.close()
}
