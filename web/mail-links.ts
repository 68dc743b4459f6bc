import type { IncomingMessage, ServerResponse } from 'node:http'
import { escaped } from '../core/escaped.ts'

/** What a link in a mail does, once its reader presses the button. */
type LinkAct = 'confirm' | 'unsubscribe'

interface ShownLink {
  readonly channel: string
  readonly workspace: string
  /** Whether there is nothing left to do. */
  readonly isDone: boolean
}

export interface MailLinkParts {
  /** Null for a link that is over. */
  show(act: LinkAct, token: string): Promise<ShownLink | null>
  /** @returns false for a link that is over */
  follow(act: LinkAct, token: string): Promise<boolean>
  /** @returns the seconds to wait, when the address sent too many requests */
  count(request: IncomingMessage): Promise<string | undefined>
  /** Called with an error of this service. */
  onError(error: unknown): void
}

const acts: Readonly<Record<string, LinkAct>> = {
  '/mail/confirm': 'confirm',
  '/mail/unsubscribe': 'unsubscribe',
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Type': 'text/html; charset=utf-8',
}

const style =
  ':root { color-scheme: light dark } body { font: 16px/1.6 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; overflow-wrap: anywhere } button { font: inherit; font-weight: 600; padding: 0.5rem 1.25rem; border: 0; border-radius: 6px; background: #1c6dd0; color: #fff; cursor: pointer } button:focus-visible { outline: 3px solid #74b3ff; outline-offset: 2px }'

function sendPage(response: ServerResponse, status: number, title: string, body: string): void {
  response
    .writeHead(status, headers)
    .end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>Sightline: ${escaped(title)}</title><style>${style}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`,
    )
}

const words = {
  confirm: {
    title: 'Get notifications?',
    ask: ({ workspace }: ShownLink) =>
      `The workspace ${workspace} of Sightline wants to mail notifications to your address.`,
    button: 'Yes, send them to me',
    doneTitle: 'Your address is confirmed',
    done: 'Notifications come to it from now on. Each mail has a link that ends them.',
  },
  unsubscribe: {
    title: 'Unsubscribe?',
    ask: ({ channel, workspace }: ShownLink) =>
      `No more mails of the channel “${channel}” of the workspace ${workspace} come to your address.`,
    button: 'Unsubscribe',
    doneTitle: 'You are unsubscribed',
    done: 'No more mails of this channel come to your address. Members of the workspace can enable it again.',
  },
} as const

/**
 * The pages of links in mails. A visit changes nothing, because scanners of mail open links: a button does, or the one click of
 * a mail program.
 * @see RFC 8058
 */
export function mailLinkHandler({ show, follow, count, onError }: MailLinkParts) {
  async function answer(request: IncomingMessage, response: ServerResponse, act: LinkAct) {
    const seconds = await count(request)
    if (seconds) {
      response.setHeader('Retry-After', seconds)
      return sendPage(response, 429, 'Too many requests', '<p>Try again in a minute.</p>')
    }
    const token = new URL(request.url ?? '/', 'http://localhost').searchParams.get('token') ?? ''
    const { title, ask, button, doneTitle, done } = words[act]
    const over = () =>
      sendPage(
        response,
        404,
        'This link is over',
        '<p>The channel is gone, or the link too old.</p>',
      )
    if (request.method === 'POST') {
      // The token says it all: the body of one click is the same for everybody.
      request.resume()
      if (!(await follow(act, token))) return over()
      return sendPage(response, 200, doneTitle, `<p>${done}</p>`)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD, POST')
      return sendPage(response, 405, 'Not allowed', '')
    }
    const shown = await show(act, token)
    if (!shown) return over()
    if (shown.isDone) return sendPage(response, 200, doneTitle, `<p>${done}</p>`)
    const form = `<form method="post"><button type="submit">${escaped(button)}</button></form>`
    return sendPage(response, 200, title, `<p>${escaped(ask(shown))}</p>${form}`)
  }

  return async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const act = acts[path]
    if (act === undefined) return false
    await answer(request, response, act).catch((error: unknown) => {
      onError(error)
      sendPage(response, 503, 'Try again later', '<p>The service cannot answer now.</p>')
    })
    return true
  }
}
