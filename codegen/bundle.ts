/**
 * Writes what people install without a folder of Sightline: `npm run bundle`.
 *
 * `dist/sightline.mcpb` is a bundle for Claude Desktop and other clients that open one. It asks for the address of a service
 * and a key, and passes calls there. The same sources make the same bytes.
 *
 * `npm run bundle -- --name io.github.someone/sightline --at https://…/sightline.mcpb` also writes `dist/server.json`, the
 * entry of the MCP Registry, for the bundle at its address.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { strToU8, zipSync } from 'fflate'
import { rolldown } from 'rolldown'
import { packageRoot, version } from '../cli/package.ts'
import { tools } from '../mcp/server.ts'

const entry = 'server/index.js'
const title = 'Sightline'
const description =
  'How AI platforms talk about your brand: visibility, competitors, cited sources, and changes.'

/** What the client fills in. */
const filled = (name: string) => `\${${name}}`

/** @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
export const manifest = {
  manifest_version: '0.3',
  name: 'sightline',
  display_name: title,
  version,
  description,
  long_description:
    'Reads the reports of a Sightline service: how often answers of ChatGPT, Gemini, Perplexity and others mention a brand, against which competitors, and with which sources. Changes need a person who has seen and approved them.',
  author: { name: title },
  server: {
    type: 'node',
    entry_point: entry,
    mcp_config: {
      command: 'node',
      args: [`${filled('__dirname')}/${entry}`],
      env: {
        SIGHTLINE_URL: filled('user_config.url'),
        SIGHTLINE_KEY: filled('user_config.key'),
      },
    },
  },
  tools: tools.map((tool) => ({ name: tool.name, description: tool.title })),
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
  user_config: {
    url: {
      type: 'string',
      title: 'Address of Sightline',
      description: 'Where you open the dashboard, such as https://sightline.example.com',
      default: 'http://127.0.0.1:4000',
      required: true,
    },
    key: {
      type: 'string',
      title: 'API key',
      description: 'The dashboard makes one under Settings, API keys. The right to read is enough.',
      sensitive: true,
      required: true,
    },
  },
}

/** The relay with what it imports, as one file for Node.js 20 and later. */
async function program(): Promise<string> {
  const build = await rolldown({
    input: join(packageRoot, 'cli/commands/mcp/desktop.ts'),
    platform: 'node',
    transform: { target: 'node20' },
  })
  const { output } = await build.generate({ format: 'esm', minify: false })
  await build.close()
  const [{ code }, ...others] = output
  if (others.length > 0) throw new Error('The relay must be one file.')
  return code
}

/** The bytes of the bundle. */
export async function bundle(): Promise<Uint8Array> {
  const files = {
    'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'package.json': '{ "type": "module" }\n',
    [entry]: await program(),
  }
  const packed = Object.entries(files).map(([name, text]) => [name, strToU8(text)])
  // A date of its own for each build would make other bytes of the same sources.
  return zipSync(Object.fromEntries(packed), { mtime: '1980-01-01T00:00:00', level: 9 })
}

/**
 * The entry of the registry. Everybody runs a service of their own, so its address is asked for.
 * @param name in the namespace of who publishes it
 * @param at where the bundle is to be had
 * @see https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 */
export const registryEntry = (bytes: Uint8Array, { name, at }: { name: string; at: string }) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name,
  title,
  description,
  version,
  packages: [
    {
      registryType: 'mcpb',
      identifier: at,
      version,
      fileSha256: createHash('sha256').update(bytes).digest('hex'),
      transport: { type: 'stdio' },
      environmentVariables: [
        {
          name: 'SIGHTLINE_URL',
          description: manifest.user_config.url.description,
          default: manifest.user_config.url.default,
          isRequired: true,
        },
        {
          name: 'SIGHTLINE_KEY',
          description: manifest.user_config.key.description,
          isRequired: true,
          isSecret: true,
        },
      ],
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{host}/mcp',
      variables: {
        host: {
          description: 'The host of your Sightline service.',
          placeholder: 'sightline.example.com',
          isRequired: true,
        },
      },
    },
  ],
})

if (import.meta.main) {
  const { values } = parseArgs({ options: { name: { type: 'string' }, at: { type: 'string' } } })
  const { name, at } = values
  if ((name === undefined) !== (at === undefined)) throw new Error('--name and --at go together.')
  if (name !== undefined && !/^[a-z\d][a-z\d.-]*[a-z\d]\/[a-z\d][a-z\d._-]*[a-z\d]$/i.test(name)) {
    throw new Error('--name must be a namespace and a name, such as io.github.someone/sightline.')
  }
  if (at !== undefined && URL.parse(at)?.protocol !== 'https:') {
    throw new Error('--at must be an address that begins with https://.')
  }
  const folder = join(packageRoot, 'dist')
  mkdirSync(folder, { recursive: true })
  const bytes = await bundle()
  writeFileSync(join(folder, 'sightline.mcpb'), bytes)
  process.stdout.write(`dist/sightline.mcpb: ${bytes.length} bytes\n`)
  if (name !== undefined && at !== undefined) {
    const text = JSON.stringify(registryEntry(bytes, { name, at }), null, 2)
    writeFileSync(join(folder, 'server.json'), `${text}\n`)
    process.stdout.write('dist/server.json\n')
  }
}
