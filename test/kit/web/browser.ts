import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { withoutPreload } from '../day.ts'

// The headless shell first: a full Chromium draws an invisible window for each page, and takes seven times the work.
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The path of the machine's Chromium, undefined where there is none. */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = programs.flatMap((name) => folders.map((folder) => join(folder, name)))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The Chromium of the machine. */
export const executablePath = findChromium()

/** True on a developer's machine without Chromium; where `CI` is set its absence is a failure. */
export const lacksChromium = executablePath === undefined && !process.env.CI

/** A tab of the browser in which every host but the service's own is out of reach. */
export interface Tab {
  readonly page: Page
  /** Addresses on other hosts that the page asked for. */
  readonly outside: readonly string[]
  /** Errors of scripts and of the console, requests that failed, answers of 400 and above. */
  readonly faults: readonly string[]
}

export interface TestBrowser {
  /**
   * A fresh profile on an address of the service. It is closed with the test, or by `close`.
   * @param others origins beside the service's own that pages may reach
   * @param locale of the reader; British English unless given
   */
  open(address: string, others?: readonly string[], locale?: string): Promise<Tab>
}

/** One headless Chromium for the tests of a file. It reaches 127.0.0.1 alone, whatever a page asks. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (lacksChromium) return
    if (!executablePath) throw new Error(`None of ${programs.join(', ')} is on the PATH.`)
    browser = await chromium.launch({
      executablePath,
      env: withoutPreload(),
      args: [
        '--disable-gpu',
        '--disable-background-networking',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
      // As root, which tests in a container often are, Chromium has no sandbox to start.
      chromiumSandbox: false,
    })
  })
  afterAll(() => browser?.close())
  return {
    async open(address, others = [], locale = 'en-GB') {
      if (!browser) throw new Error('The browser has not started.')
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale })
      onTestFinished(() => context.close())
      // Below the time of a test, so that a failure names what was waited for.
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      const tab = await watch(page, [new URL(address).origin, ...others])
      await page.goto(address)
      return tab
    },
  }
}

async function watch(page: Page, origins: readonly string[]): Promise<Tab> {
  const outside: string[] = []
  const faults: string[] = []
  await page.context().route(
    (url) => !origins.includes(url.origin),
    (route) => {
      outside.push(route.request().url())
      return route.abort()
    },
  )
  await page.context().routeWebSocket(/.*/, (socket) => {
    outside.push(socket.url())
    return socket.close()
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // Of a failed request its own line says more.
    const { url } = message.location()
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
      faults.push(`console: ${message.text()} (${url})`)
    }
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // Aborted by the page itself: a question whose answer it no longer needs, or whatever it was still
    // loading when it was left. A server that cuts a reply off fails by another name.
    if (why !== 'net::ERR_ABORTED') faults.push(`request: ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  })
  return { page, outside, faults }
}
