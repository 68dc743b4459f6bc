import { type AgentKeys, directoryPath, keysOfDirectory } from '../../core/bots/web-bot-auth.ts'
import agents from '../../core/data/signed-agents.json' with { type: 'json' }
import type { Log } from '../../core/log.ts'

/** Agents whose signatures are known, by the origin of their directory of keys: the crawler that each is. */
const crawlers = new Map(agents.map(({ agent, crawler }) => [agent, crawler]))

/** The keys of the known agents. */
export interface AgentKeysSource {
  /** Reads the directories where that is due. Never throws: without keys nobody has signed. */
  load(): Promise<void>
  keysOf(agent: string): AgentKeys | undefined
  /** The name of the crawler that an agent is. */
  crawlerOf(agent: string): string | undefined
}

interface AgentKeysOptions {
  /** Reads the JSON at an address that is public. */
  readonly read: (url: string) => Promise<unknown>
  readonly log: Log
}

const hourMs = 3_600_000
const lastsMs = 6 * hourMs
const retryMs = hourMs / 4

/** Keys are read with the first signed request, and kept: an agent that nobody sees is asked for nothing. */
export function openAgentKeys({ read, log }: AgentKeysOptions): AgentKeysSource {
  const known = new Map<string, AgentKeys>()
  let due = 0
  let loading: Promise<void> | undefined

  async function readOne(agent: string): Promise<boolean> {
    try {
      known.set(agent, keysOfDirectory(await read(`${agent}${directoryPath}`)))
      return true
    } catch (err) {
      log.warn({ err, agent }, 'The keys of a signed agent were not read. The last ones stay.')
      return false
    }
  }
  async function readAll(): Promise<void> {
    const wereRead = await Promise.all([...crawlers.keys()].map(readOne))
    due = Date.now() + (wereRead.every(Boolean) ? lastsMs : retryMs)
    loading = undefined
  }
  return {
    async load() {
      if (Date.now() < due) return
      loading ??= readAll()
      // Known keys serve while the new ones are on their way.
      if (known.size < crawlers.size && due === 0) await loading
    },
    keysOf: (agent) => known.get(agent),
    crawlerOf: (agent) => crawlers.get(agent),
  }
}
