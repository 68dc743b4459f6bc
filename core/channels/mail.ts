import type { Block, MailContent } from '../mail/template.ts'
import { type ChannelEvent, linkLabelOf } from './events.ts'

/** The mail of an event. */
export function eventMail(
  { type, data }: ChannelEvent,
  { channel, unsubscribeUrl }: { readonly channel: string; readonly unsubscribeUrl: string },
): MailContent {
  const { project, title, text, facts, sections = [], link } = data
  const blocks: Block[] = []
  if (text !== '') blocks.push({ kind: 'text', text })
  if (facts.length > 0) blocks.push({ kind: 'facts', facts: facts.map(withoutGaps) })
  for (const { heading, facts: own = [], items = [] } of sections) {
    blocks.push({ kind: 'heading', text: heading })
    if (own.length > 0) blocks.push({ kind: 'facts', facts: own.map(withoutGaps) })
    if (items.length > 0) {
      const list = items.map((each) => ({
        text: each.text,
        ...(each.link !== undefined && { url: each.link }),
      }))
      blocks.push({ kind: 'list', items: list })
    }
  }
  blocks.push({ kind: 'button', label: linkLabelOf({ type }), url: link })
  return {
    subject: (project === null ? title : `${project.name}: ${title}`).replace(/\.$/, ''),
    blocks,
    footer: `You get this mail because the channel “${channel}” sends to this address.`,
    unsubscribeUrl,
  }
}

const withoutGaps = ({ label, value, note }: ChannelEvent['data']['facts'][number]) => ({
  label,
  value,
  ...(note !== undefined && { note }),
})

/** The mail that asks the owner of an address whether a workspace may write to it. */
export function confirmationMail(workspace: string, link: string): MailContent {
  return {
    subject: `Get notifications of ${workspace}?`,
    blocks: [
      {
        kind: 'text',
        text: 'Somebody in this workspace of Sightline wants to send notifications to this address.',
      },
      { kind: 'button', label: 'Yes, send them to me', url: link },
      {
        kind: 'small',
        text: 'Nothing more is sent until you confirm. The link works for seven days.',
      },
    ],
    footer: 'If you do not know the workspace, ignore this mail.',
  }
}
