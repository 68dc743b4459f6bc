/** A system call in a trace of `strace -f -y -o`, which has one line a call, or two when calls overlap. */
interface Call {
  readonly name: string
  /** The file that it is on, as `-y` shows it: number and path, or number and socket. */
  readonly file: string
  /** Its arguments and result, as printed. */
  readonly text: string
  /** The lines on which it began and ended. */
  readonly began: number
  readonly ended: number
}

function readTrace(trace: string): Call[] {
  const open = new Map<string, { head: string; began: number }>()
  const calls: Call[] = []
  for (const [line, text] of trace.split('\n').entries()) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(text) ?? []
    const cut = rest.indexOf(' <unfinished ...>')
    if (cut >= 0) {
      open.set(`${pid} ${/^\w+/.exec(rest)?.[0]}`, { head: rest.slice(0, cut), began: line })
      continue
    }
    // A call goes on with its own name: a trace may be cut off, or its lines changed, between the two.
    const [, resumed, tail] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? []
    const before = open.get(`${pid} ${resumed}`)
    open.delete(`${pid} ${resumed}`)
    const whole = before === undefined ? rest : before.head + tail
    const [, name, file] = /^(\w+)\((\d+<[^>]*>)/.exec(whole) ?? []
    if (name === undefined || file === undefined) continue
    calls.push({ name, file, text: whole, began: before?.began ?? line, ended: line })
  }
  return calls
}

export interface SyncReport {
  /** Requests that were answered by 202. */
  readonly acknowledged: number
  /** The marks of those that were answered before their rows were on disk. */
  readonly tooEarly: string[]
}

/**
 * Checks in a trace of the tracker that each 202 came after a successful `fdatasync`, which began after the
 * rows were written. Requests are known by a mark that is in their body and rows.
 */
export function checkSyncs(trace: string, mark: RegExp): SyncReport {
  const calls = readTrace(trace)
  const written = calls.filter(({ name, file }) => name === 'pwrite64' && file.includes('/log/'))
  const synced = calls.filter(({ name, text }) => name === 'fdatasync' && / = 0$/.test(text))
  const isOnDisk = (word: string, before: number) =>
    written.some(
      (write) =>
        write.text.includes(word) &&
        synced.some(
          (sync) => sync.file === write.file && sync.began > write.ended && sync.ended < before,
        ),
    )
  const asked = new Map<string, string>()
  const tooEarly: string[] = []
  let acknowledged = 0
  for (const { name, file, text, began } of calls) {
    const word = mark.exec(text)?.[0]
    if (name === 'read' && word !== undefined) asked.set(file, word)
    if (!/^writev?$/.test(name) || !text.includes('HTTP/1.1 202')) continue
    acknowledged += 1
    const answered = asked.get(file) ?? 'unknown'
    if (!isOnDisk(answered, began)) tooEarly.push(answered)
    asked.delete(file)
  }
  return { acknowledged, tooEarly }
}
