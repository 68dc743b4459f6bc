// Leads the requests of a process to Google's addresses to GOOGLE_STAND_IN: preload it by NODE_OPTIONS.
const { fetch } = globalThis
const standIn = process.env.GOOGLE_STAND_IN

globalThis.fetch = (input, init) => {
  const { hostname, pathname, search } = new URL(input instanceof Request ? input.url : input)
  const isGoogle = /(?:^|\.)googleapis\.com$/.test(hostname)
  return fetch(isGoogle ? standIn + pathname + search : input, init)
}
