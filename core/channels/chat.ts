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
  type: 'section',
  text: { type: 'mrkdwn', text: text.slice(0, mostSection), verbatim: true },
})

/**
 * A message of Slack. `text` says all by itself: Mattermost, Rocket.Chat and Discord show it in place of the blocks.
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
export function slackBody({ type, data }: ChannelEvent) {
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
    text: [lead, ...body, address].join('\n'),
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
    title: oneLine(label),
    value: oneLine(note === undefined ? value : `${value} (${note})`),
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
