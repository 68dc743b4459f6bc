import { parentPort } from 'node:worker_threads'
import type { ReadOptions } from '../document/document.ts'
import { readDocument } from '../document/read.ts'

/** One page to parse, as it is sent to the thread. */
export interface ParseTask {
  readonly bytes: Uint8Array
  readonly charset: string | null
  readonly address: string
  readonly options: ReadOptions
}

parentPort?.on('message', ({ bytes, charset, address, options }: ParseTask) => {
  parentPort?.postMessage(readDocument(bytes, charset, address, options))
})
parentPort?.postMessage('ready')
