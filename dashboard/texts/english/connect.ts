import { locale } from '../../../web/share/locale.ts'

/** Texts of connecting an AI client, and of the clients that are connected. */
export const connect = {
  title: (name: string) => `Connect ${name}`,
  over: 'This request is over',
  again: 'Connect from your AI client again, in this browser.',
  lead: (name: string) => `“${name}” is the name that the client gives itself.`,
  backTo: 'Access goes to',
  documented: (host: string) => `It describes itself at ${host}.`,
  warnings: {
    site: 'Sightline does not know this address. Allow it only if you have just started to connect a client of it.',
    app: 'An app on this computer asks. Allow it only if you have just started to connect it.',
    computer:
      'A program on this computer asks. Allow it only if you have just started to connect it.',
  },
  rights: 'Access',
  read: 'Read reports, answers and settings',
  write: 'Run prompts, audits and reports, and decide on issues and opportunities',
  draft: 'Add and change prompts',
  asked: 'The client asks for this.',
  project: 'Projects',
  all: 'All projects',
  nothingFound: 'No project of this name',
  ends: 'Ends after',
  days: { 30: '30 days', 90: '90 days', 180: '180 days' },
  allow: 'Allow',
  deny: 'Deny',
} as const

export const aiClients = {
  title: 'Connect an AI client',
  lead: 'Ask about your numbers in Claude, ChatGPT, Cursor and other clients. Each person connects their own, with the rights that they choose.',
  address: 'Address of the tool server',
  noSignIn:
    'Clients connect with an API key here, because this address is not https. Create a key under API keys, and send it as the header “Authorization: Bearer sgl_…”.',
  fromInternet:
    'Claude and ChatGPT connect from the internet. They reach Sightline at a public https address only.',
  client: 'Client',
  steps: {
    claude: 'In Claude or Claude Desktop: Settings, Connectors, Add custom connector.',
    claudeNext: 'Paste the address, then choose Connect and sign in.',
    claudeCode: 'In a terminal:',
    claudeCodeNext: 'In Claude Code, run /mcp, choose sightline and Authenticate.',
    chatgpt: 'In ChatGPT: Settings, Apps, Advanced settings, Developer mode. Then Create app.',
    chatgptNext: 'Paste the address, choose OAuth, and sign in.',
    cursor: 'In the file ~/.cursor/mcp.json:',
    cursorNext: 'In Cursor: Settings, MCP, then Connect at sightline.',
    vscode: 'In a terminal:',
    vscodeNext: 'In VS Code, start the server “sightline” and sign in.',
    codex: 'In a terminal:',
    codexNext: 'A browser opens. Sign in and choose what Codex may do.',
  },
  connected: 'Connected clients',
  connectedLead: 'Owners see all of the workspace, others their own.',
  none: 'No AI client is connected yet.',
  host: 'Goes back to',
  by: 'By',
  access: 'Access',
  rights: (scopes: readonly string[], drafts: boolean) =>
    scopes.includes('write') ? 'Read and write' : drafts ? 'Read, and draft prompts' : 'Read',
  project: 'Projects',
  all: 'All projects',
  used: 'Last used (UTC)',
  neverUsed: 'Never',
  ends: 'Ends (UTC)',
  revoke: 'Revoke',
  revokeAsk: 'The client can no longer read or change anything. It must be connected again.',
} as const

/** A plan ends within minutes, so its end is a time of the reader's own day. */
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })

const allowances: Readonly<Record<string, string>> = {
  prompts: 'Prompts',
  audits: 'Site audits this month',
  reports: 'Reports this month',
}

export const plannedChange = {
  by: (client: string) => `Planned by ${client}`,
  aKey: 'an API key without a name',
  title: 'Planned change',
  changes: 'What changes',
  what: 'What',
  before: 'Before',
  after: 'After',
  approve: 'Approve',
  refuse: 'Refuse',
  cost: (usd: number) => `Expected cost at AI providers: US$${usd.toFixed(2)}.`,
  allowance: (name: string, before: number, after: number, limit: number | null) =>
    `${allowances[name] ?? name}: ${before} now, ${after} after this${limit === null ? '' : `; your plan has ${limit}`}.`,
  goneTitle: 'Not found',
  gone: 'There is no planned change at this address. A plan is kept for a day. Ask your AI client to plan the change again.',
  waitsForOthers: 'Waiting for a decision',
  needsRights:
    'You may read this project, and not make this change. A person who may make it can approve it at this address.',
  until: (expiresAt: string) => `You can decide until ${clock.format(new Date(expiresAt))}.`,
  statuses: {
    waiting: 'Waiting for your decision',
    approved: 'Approved',
    refused: 'Refused',
    applied: 'Done',
    stale: 'The project has changed meanwhile',
    expired: 'Expired',
  },
  hints: {
    waiting: 'Nothing has changed yet.',
    approved: 'Go back to your AI client and ask it to go on. It makes the change then.',
    refused: 'Nothing was changed.',
    applied: 'The change is made.',
    stale:
      'Nothing was changed, because the change would now do something else than you see here. Ask your AI client to plan it again.',
    expired: 'Nothing was changed. Ask your AI client to plan it again.',
  },
} as const
