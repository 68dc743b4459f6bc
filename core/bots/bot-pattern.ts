/** The most characters of a pattern. */
const longest = 200
/** Each optional atom doubles the ways to match, at the most. */
const mostOptional = 3

const literal = `[A-Za-z0-9 _,;:@&~#%=!<>"'/-]`
const escaped = String.raw`\\[.+*?()|^$/\\[\]{}-]|\\d`
const oneOf = String.raw`\[[A-Za-z0-9 _.-]+\]`
const alternative = `(?:(?:${literal}|${escaped}|${oneOf})\\??)+`
const syntax = new RegExp(`^${alternative}(?:\\|${alternative})*$`)

/** What stands in the agents of people and programs that no registry may take for a crawler. */
const everyday = [
  '',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36 Edg/149.0.0.0 OPR/130.0.0.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/149.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:151.0) Gecko/20100101 Firefox/151.0',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0',
  'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
  'curl/8.14.1 python-requests/2.32.5 Go-http-client/2.0 okhttp/5.1.0 axios/1.12.0 node',
  'ai bot crawler spider scraper fetcher agent code user search operator web +http://www.',
]

/**
 * A pattern as it is searched for: in any case, and where no other agent's word goes on at either
 * end. `Applebot` is so not found in `Applebot-Extended`, nor `GPTBot` in `https://example.com/gptbot`
 * or `gptbot@example.com`. An end that is no letter or digit is open: `Devin/` finds `Devin/1.0`.
 */
export function boundedPattern(pattern: string): RegExp {
  return new RegExp(
    String.raw`(?<![\w@./-])(?:${pattern})(?!(?<=[A-Za-z0-9])(?:[\w@-]|\.[a-z]))`,
    'i',
  )
}

/** One expression that finds something wherever one of the patterns does. */
export function boundedPatterns(patterns: readonly string[]): RegExp {
  return boundedPattern(patterns.join('|'))
}

/**
 * The fault of a pattern, undefined for a valid pattern. The syntax is a subset of JavaScript's without
 * repetition and groups, so no pattern can take exponential time. It has characters, `[a-z]`, `\d`, `|` between
 * whole names, and a few `?`.
 */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > longest) return `must have ${longest} characters at most`
  if (!syntax.test(pattern)) {
    return 'may hold letters, digits, spaces, ordinary signs, \\ before others such as the dot, [a-z], \\d, ? and | alone'
  }
  const bare = pattern.replace(/\\.|\[[^\]]*\]/g, 'x').split('|')
  if (bare.some((one) => one.split('?').length - 1 > mostOptional)) {
    return `must have ${mostOptional} times ? at most`
  }
  const found = compiled(pattern)
  if (found === undefined) return 'is no regular expression'
  return everyday.some((agent) => found.test(agent))
    ? 'matches everyday agents, those of browsers and libraries'
    : undefined
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return boundedPattern(pattern)
  } catch {
    return undefined
  }
}
