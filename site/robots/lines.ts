/** A line of robots.txt that says something: `field: value`, without its comment. */
interface RobotsLine {
  /** From 1. */
  readonly number: number
  /** In lower case. */
  readonly field: string
  readonly value: string
}

export interface RobotsFault {
  readonly line: number
  readonly text: string
  readonly fault: 'rule before any User-agent' | 'neither a comment nor `field: value`'
}

export interface RobotsText {
  readonly lines: readonly RobotsLine[]
  readonly faults: readonly RobotsFault[]
}

/** Characters of a faulty line that evidence shows. */
const shown = 100

/**
 * The lines of robots.txt, and those that break RFC 9309.
 * @see RFC 9309, section 2.2
 */
export function readLines(text: string): RobotsText {
  const lines: RobotsLine[] = []
  const faults: RobotsFault[] = []
  let hasGroup = false
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const number = index + 1
    const content = raw.replace(/#.*/s, '').trim()
    if (content === '') continue
    const colon = content.indexOf(':')
    const field = content.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const faulty = (fault: RobotsFault['fault']) =>
      faults.push({ line: number, text: content.slice(0, shown), fault })
    if (!/^[a-z][\w-]*$/.test(field)) {
      faulty('neither a comment nor `field: value`')
      continue
    }
    hasGroup ||= field === 'user-agent'
    if (/^(dis)?allow$/.test(field) && !hasGroup) faulty('rule before any User-agent')
    lines.push({ number, field, value: content.slice(colon + 1).trim() })
  }
  return { lines, faults }
}
