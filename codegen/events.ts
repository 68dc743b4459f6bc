import { z } from 'zod'
import { eventIds, eventSchema, eventTypes, eventWords } from '../core/channels/events.ts'

const uuid = '8c1e4a52-6a0e-4f3b-9d0a-7f0a2b6f3c11'
const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

const example = eventSchema.parse({
  type: 'run.completed',
  timestamp: '2026-11-28T06:04:11.000Z',
  data: {
    runId: '0b3f8f9e-4f4e-4d43-8a3a-0d3f7b1d9c11',
    workspaceId: '5f0c6a60-6f5e-4f0e-9d0a-7f0a2b6f3c11',
    project: { id: uuid, name: 'Acme', domain: 'acme.com' },
    title: 'A run is done',
    text: '',
    facts: [{ label: 'Answers', value: '120' }],
    link: `https://sightline.example.com/projects/${uuid}/data-collection`,
  },
})

/** The page of all events, `docs/events.md`. */
export function eventsPage(): string {
  const rows = eventTypes.map((type) => {
    const ids = Object.entries(eventIds[type] ?? {}).map(([name, text]) => `\`${name}\`: ${text}`)
    return `| \`${type}\` | ${eventWords[type]} | ${ids.join(' ')} |`
  })
  return `# Events

Generated from \`core/channels/events.ts\` by \`npm run codegen\`.

What [webhooks](notifications.md#webhooks) carry. New fields may come: a receiver ignores those that it does not know.

| event | when | ids in \`data\` |
|---|---|---|
${rows.join('\n')}

## Example

${json(example)}

## JSON Schema

${json(z.toJSONSchema(eventSchema))}
`
}
