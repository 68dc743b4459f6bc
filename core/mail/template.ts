import { escaped as escapedText } from '../escaped.ts'

/**
 * One list of blocks makes both parts of a mail, so that text and HTML never differ. Functions and no library: a mail is one
 * column, and react-email or MJML would bring React or a compiler to each worker for it.
 */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'button'; readonly label: string; readonly url: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'small'; readonly text: string }

/** A number with its name, and what is said of it in small letters. */
export interface Fact {
  readonly label: string
  readonly value: string
  readonly note?: string
}

export interface Item {
  readonly text: string
  readonly url?: string
}

export interface MailContent {
  readonly subject: string
  readonly blocks: readonly Block[]
  /** Why the reader gets this mail, and how to end it. */
  readonly footer: string
  /** A page that ends these mails. */
  readonly unsubscribeUrl?: string
}

export interface MailParts {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const longestText = 2000
const longestSubject = 150

/** Controls, and marks that turn the direction of a text, would let a name break out of its line. */
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A text from anywhere as one line, cut where it is very long. */
export function oneLine(text: string, longest = longestText): string {
  const line = text.replace(unprintable, ' ').replace(/ {2,}/g, ' ').trim()
  const characters = [...line]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
}

const escaped = (text: string) => escapedText(oneLine(text))

const font =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const style = {
  text: 'margin:0 0 16px;font-size:16px;line-height:24px',
  heading: 'margin:24px 0 8px;font-size:16px;line-height:24px;font-weight:700',
  small: 'margin:0 0 16px;font-size:13px;line-height:20px;color:#5c636a',
  button:
    'display:inline-block;padding:11px 20px;border-radius:6px;background:#1c6dd0;color:#ffffff;font-size:16px;line-height:22px;font-weight:600;text-decoration:none',
  link: 'color:#1c6dd0',
  cell: 'padding:8px 0;border-top:1px solid #dee2e6;font-size:15px;line-height:22px;vertical-align:top',
}

/** Clients without dark mode read the styles of the elements, those with it this sheet too. */
const sheet = `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{overflow-wrap:anywhere}td,p,li,h1,h2{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){
.page{background:#141517!important}.card{background:#1f2124!important}
.ink{color:#e9ecef!important}.dim{color:#a8b0b8!important}.line{border-color:#3b3f44!important}
.link{color:#74b3ff!important}}
@media (max-width:480px){.card{padding:20px 16px!important}.value{padding-left:12px!important}}`

const linkHtml = (url: string, label: string) =>
  `<a class="link" href="${escaped(url)}" style="${style.link}">${escaped(label)}</a>`

/** Characters of a value that stay on one line: 320 pixels have room for them beside a name. */
const unbroken = 20

function factHtml({ label, value, note }: Fact): string {
  const said = note
    ? `<br><span class="dim" style="color:#5c636a;font-size:13px">${escaped(note)}</span>`
    : ''
  return `<tr><td class="line ink" style="${style.cell}">${escaped(label)}${said}</td><td class="line ink value" align="right" style="${style.cell};padding-left:24px;font-weight:600${oneLine(value).length <= unbroken ? ';white-space:nowrap' : ''}">${escaped(value)}</td></tr>`
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="${style.text}">${escaped(block.text)}</p>`
    case 'heading':
      return `<h2 class="ink" style="${style.heading}">${escaped(block.text)}</h2>`
    case 'small':
      return `<p class="dim" style="${style.small}">${escaped(block.text)}</p>`
    case 'button':
      return `<p style="margin:24px 0"><a href="${escaped(block.url)}" style="${style.button}">${escaped(block.label)}</a></p>`
    case 'facts':
      return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${block.facts.map(factHtml).join('')}</table>`
    case 'list': {
      const items = block.items.map(
        ({ text, url }) =>
          `<li style="margin:0 0 6px">${url === undefined ? escaped(text) : linkHtml(url, text)}</li>`,
      )
      return `<ul class="ink" style="margin:0 0 16px;padding-left:20px;font-size:15px;line-height:22px">${items.join('')}</ul>`
    }
  }
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'small':
      return oneLine(block.text)
    case 'heading':
      return oneLine(block.text).toUpperCase()
    case 'button':
      return `${oneLine(block.label)}:\n${block.url}`
    case 'facts':
      return block.facts
        .map(({ label, value, note }) => {
          const line = `${oneLine(label)}: ${oneLine(value)}`
          return note ? `${line}\n  ${oneLine(note)}` : line
        })
        .join('\n')
    case 'list':
      return block.items
        .map(({ text, url }) => `- ${oneLine(text)}${url === undefined ? '' : `\n  ${url}`}`)
        .join('\n')
  }
}

/** Both parts of a mail: no image, no script, nothing that is loaded. */
export function renderMail({ subject, blocks, footer, unsubscribeUrl }: MailContent): MailParts {
  const line = oneLine(subject, longestSubject)
  const end = unsubscribeUrl === undefined ? '' : ` ${linkHtml(unsubscribeUrl, 'Unsubscribe')}`
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escaped(line)}</title><style>${sheet}</style></head>
<body class="page" style="margin:0;padding:0;background:#f1f3f5;${font}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f1f3f5"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;table-layout:fixed"><tr><td class="card" style="padding:32px;background:#ffffff;border-radius:8px">
<p class="dim" style="margin:0 0 16px;font-size:13px;line-height:20px;font-weight:700;color:#5c636a">Sightline</p>
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:700">${escaped(line)}</h1>
${blocks.map(blockHtml).join('\n')}
<p class="dim line" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dee2e6;font-size:13px;line-height:20px;color:#5c636a">${escaped(footer)}${end}</p>
</td></tr></table></td></tr></table></body></html>
`
  const last = unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${unsubscribeUrl}`]
  const text = [line, ...blocks.map(blockText), '--', [oneLine(footer), ...last].join('\n')]
  return { subject: line, text: `${text.join('\n\n')}\n`, html }
}
