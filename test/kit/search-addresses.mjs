// Leads the requests of a process to Google's and Bing's addresses to stand-ins: preload it by NODE_OPTIONS.
const { fetch } = globalThis
const { GOOGLE_STAND_IN, BING_STAND_IN } = process.env

function standInOf(hostname) {
  if (/(?:^|\.)googleapis\.com$/.test(hostname)) return GOOGLE_STAND_IN
  return hostname === 'ssl.bing.com' ? BING_STAND_IN : undefined
}

globalThis.fetch = (input, init) => {
  const { hostname, pathname, search } = new URL(input instanceof Request ? input.url : input)
  const standIn = standInOf(hostname)
  return fetch(standIn === undefined ? input : standIn + pathname + search, init)
}
