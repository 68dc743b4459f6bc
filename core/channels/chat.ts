import { oneLine } from '../mail/template.ts'
import { type ChannelEvent, type EventData, linkLabelOf } from './events.ts'

/** The three characters that Slack reads as markup. @see https://docs.slack.dev/messaging/formatting-message-text */
const slackText = (text: string) =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Teams reads Markdown in texts. */
const teamsText = (text: string) => oneLine(text).replace(/([\\`*_{}[\]()#+\-!|~<>])/g, '\\$1')

const leadOf = ({ project, title }: EventData) =>
  project === null ? title : `${project.name}: ${title}`

const factLine = ({ label, value, note }: EventData['facts'][number]) =>
  note === undefined ? `${label}: ${value}` : `${label}: ${value} (${note})`

/** The lines of each section of a digest. */
const sectionsOf = ({ sections = [] }: EventData) =>
  sections.map(({ heading, facts = [], items = [] }) => ({
    heading,
    lines: [...facts.map(factLine), ...items.map(({ text }) => text)],
  }))

/** Slack takes 3,000 characters in a section. */
const mostSection = 2900

const section = (text: string) => ({
  type: 'section' as const,
  text: { type: 'mrkdwn' as const, text: text.slice(0, mostSection), verbatim: true },
})

/** Characters of a text that stands for the blocks. Rocket.Chat takes 5,000 and Mattermost more, but Discord refuses longer ones. */
const mostText = { discord: 2000, others: 4000 }

const isDiscord = (host: string) => /(^|\.)discord(app)?\.com$/.test(host)

/** Lines up to a length, and the last one whatever the others leave out: it is the link. */
function fitting(lines: readonly string[], most: number): string {
  const last = lines.at(-1) ?? ''
  const text = lines.slice(0, -1).join('\n')
  const room = most - last.length - 3
  if (text.length <= room) return `${text}\n${last}`
  // At the end of a line, so that no entity of Slack's is cut.
  const end = text.lastIndexOf('\n', room)
  return `${text.slice(0, end > 0 ? end : room)}\n…\n${last}`
}

/**
 * A message of Slack. `text` says all by itself: Mattermost, Rocket.Chat and Discord show it in place of the blocks.
 * @param host of the address, since Discord takes shorter texts
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
export function slackBody({ type, data }: ChannelEvent, host = '') {
  const lead = slackText(leadOf(data))
  const text = slackText(data.text)
  const lines = data.facts.map((fact) => `• ${slackText(factLine(fact))}`)
  const parts = sectionsOf(data).map(({ heading, lines: found }) =>
    [`*${slackText(heading)}*`, ...found.map((line) => `• ${slackText(line)}`)].join('\n'),
  )
  const address = data.link.replace(/[<>|]/g, encodeURIComponent)
  const link = `<${address}|${linkLabelOf({ type })}>`
  const body = [text, lines.join('\n'), ...parts].filter((part) => part !== '')
  return {
    text: fitting([lead, ...body, address], mostText[isDiscord(host) ? 'discord' : 'others']),
    blocks: [section(`*${lead}*`), ...body.map(section), section(link)].slice(0, 50),
  }
}

const teamsBlock = (text: string, more: object = {}) => ({
  type: 'TextBlock',
  text,
  wrap: true,
  ...more,
})

/**
 * An Adaptive Card 1.5 in the message that a workflow of Teams takes.
 * @see https://adaptivecards.io/explorer/
 */
export function teamsBody({ type, data }: ChannelEvent) {
  const facts = data.facts.map(({ label, value, note }) => ({
    title: teamsText(label),
    value: teamsText(note === undefined ? value : `${value} (${note})`),
  }))
  const body = [
    teamsBlock(teamsText(leadOf(data)), { weight: 'Bolder', size: 'Medium' }),
    ...(data.text === '' ? [] : [teamsBlock(teamsText(data.text))]),
    ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts }]),
    ...sectionsOf(data).flatMap(({ heading, lines }) => [
      teamsBlock(teamsText(heading), { weight: 'Bolder', spacing: 'Medium' }),
      ...lines.map((line) => teamsBlock(teamsText(line), { spacing: 'Small' })),
    ]),
  ]
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.5',
          body,
          actions: [{ type: 'Action.OpenUrl', title: linkLabelOf({ type }), url: data.link }],
        },
      },
    ],
  }
}
