import { readFile } from 'node:fs/promises'
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { BrandDocument, ReachedProjectsDocument } from './documents.ts'
import { type Ask, Refused } from './run.ts'
import { plainTexts } from './untrusted.ts'

/** Texts for people and models, by the name of their resource. */
const resources = {
  accuracy: {
    title: 'What the numbers mean',
    description: 'Each metric, its interval, and when a change is significant.',
    file: 'accuracy.md',
  },
  method: {
    title: 'How answers were collected',
    description: 'What `method` says, and what a sample needs to decide on it.',
    file: 'method.md',
  },
  glossary: {
    title: 'Glossary',
    description: 'What the words mean: surface, API, imported, and the numbers.',
    file: 'glossary.md',
  },
  errors: {
    title: 'Errors',
    description: 'Every error code with its cause and what to do.',
    file: 'errors.md',
  },
  schema: {
    title: 'The GraphQL API',
    description: 'How documents of query_graph are written and what they cost.',
    file: 'graphql.md',
  },
} as const

const matching = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

/** Values that a client may propose, by the part that somebody has typed. */
const mostProposed = 20

/** Names of projects that have some letters, for an argument that names one. */
export async function projectNames(ask: Ask, part: string): Promise<string[]> {
  const { projects } = await ask(ReachedProjectsDocument, {})
  return projects.nodes
    .map(({ name }) => name)
    .filter((name) => matching(name, part))
    .slice(0, mostProposed)
}

/** Ids of projects whose id or name has some letters. */
async function projectIds(ask: Ask, part: string): Promise<string[]> {
  const { projects } = await ask(ReachedProjectsDocument, {})
  return projects.nodes
    .filter(({ id, name }) => id.startsWith(part) || matching(name, part))
    .map(({ id }) => id)
    .slice(0, mostProposed)
}

/** The brand of a project, its competitors and its topics, for a model that is to write about them. */
async function brandOf(ask: Ask, project: string) {
  const { project: found } = await ask(BrandDocument, { project })
  if (!found) throw new Refused('not_found', 'No project has this id.', 'Call list_projects.')
  const { brandProfile, competitors, topics, platforms, ...brand } = found
  return plainTexts({
    ...brand,
    description: brandProfile.description,
    industry: brandProfile.industry,
    competitors: competitors?.nodes ?? [],
    topics: topics?.nodes ?? [],
    platforms: platforms?.nodes.map(({ displayName }) => displayName) ?? [],
  })
}

/** The texts that a client can put into a conversation. */
export function registerResources(server: McpServer, ask: Ask): void {
  for (const [name, { title, description, file }] of Object.entries(resources)) {
    const about = { title, description, mimeType: 'text/markdown' }
    server.registerResource(name, `sightline://${name}`, about, async ({ href }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'text/markdown',
          text: await readFile(new URL(`../docs/${file}`, import.meta.url), 'utf8'),
        },
      ],
    }))
  }
  const brand = new ResourceTemplate('sightline://projects/{id}/brand', {
    list: undefined,
    complete: { id: (part) => projectIds(ask, part) },
  })
  const about = {
    title: 'A brand',
    description:
      'Names and domains of a brand, what it does, its competitors, topics and AI platforms.',
    mimeType: 'application/json',
  }
  server.registerResource('brand', brand, about, async ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: about.mimeType,
        text: JSON.stringify(await brandOf(ask, String(id))),
      },
    ],
  }))
}
