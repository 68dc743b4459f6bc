import { homedir } from 'node:os'
import { join } from 'node:path'

/** How a client starts a server of tools. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Where a client keeps its servers of tools. */
export interface ClientFile {
  readonly title: string
  readonly path: string
  readonly format: 'json' | 'toml'
  /** The member that holds the servers by name. */
  readonly servers: string
  /** What the client wants besides the launch. */
  readonly also?: Readonly<Record<string, string>>
  /** What somebody has to do then. */
  readonly next: string
}

/** The folder where programs of a desktop keep their settings. */
function settingsFolder(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  if (process.platform === 'win32') return APPDATA || join(homedir(), 'AppData', 'Roaming')
  return XDG_CONFIG_HOME || join(homedir(), '.config')
}

const clients = {
  'claude-desktop': () => ({
    title: 'Claude Desktop',
    path: join(settingsFolder(), 'Claude', 'claude_desktop_config.json'),
    format: 'json',
    servers: 'mcpServers',
    next: 'Quit Claude Desktop and open it again.',
  }),
  'claude-code': () => ({
    title: 'Claude Code',
    path: join(homedir(), '.claude.json'),
    format: 'json',
    servers: 'mcpServers',
    also: { type: 'stdio' },
    next: 'Start a new session of Claude Code.',
  }),
  cursor: () => ({
    title: 'Cursor',
    path: join(homedir(), '.cursor', 'mcp.json'),
    format: 'json',
    servers: 'mcpServers',
    next: 'Turn the server on in the settings of Cursor, under MCP.',
  }),
  vscode: () => ({
    title: 'VS Code',
    path: join(settingsFolder(), 'Code', 'User', 'mcp.json'),
    format: 'json',
    servers: 'servers',
    also: { type: 'stdio' },
    next: 'Run the command "MCP: List Servers" in VS Code, and start sightline.',
  }),
  codex: () => ({
    title: 'Codex',
    path: join(process.env.CODEX_HOME || join(homedir(), '.codex'), 'config.toml'),
    format: 'toml',
    servers: 'mcp_servers',
    next: 'Start a new session of Codex.',
  }),
} as const satisfies Record<string, () => ClientFile>

export type ClientName = keyof typeof clients
export const clientNames = Object.keys(clients) as ClientName[]

export const clientFile = (name: ClientName): ClientFile => clients[name]()
