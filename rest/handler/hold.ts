import type { ServerResponse } from 'node:http'
import type { ReplyMemory, replyMemory } from '../../core/load/under-load.ts'
import { endSlowReader } from './timeouts.ts'

/** Gives a response the memory of its large rows, from the first rows until it is sent. Most responses hold none. */
export function holdOf(memoryOfReply: ReturnType<typeof replyMemory>) {
  return (response: ServerResponse): ReplyMemory['hold'] => {
    let memory: ReplyMemory | undefined
    const begin = () => {
      const begun = memoryOfReply(() => endSlowReader(response))
      if (response.closed) begun.end()
      else response.once('close', begun.end)
      return begun
    }
    return (bytes) => {
      memory ??= begin()
      return memory.hold(bytes)
    }
  }
}
