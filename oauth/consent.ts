import { type IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { z } from 'zod'
import type { Principal } from '../core/access.ts'
import { check } from '../core/check.ts'
import { Fault } from '../core/errors.ts'
import { isLoopback } from '../core/tool-sign-in.ts'
import type { Db } from '../prisma/client.ts'
import { connectClient, grantsOf, refuseToConnect } from '../resolvers/keys/clients.ts'

/** Where people of well-known clients are sent back to. Any other host gets a warning. */
const knownHosts = new Set([
  'chatgpt.com',
  'claude.ai',
  'claude.com',
  'cursor.com',
  'insiders.vscode.dev',
  'vscode.dev',
  'www.cursor.com',
])

/** Apps that open by an address of their own. */
const knownApps = new Set(['cursor:', 'vscode:', 'vscode-insiders:'])

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** What the page shows of the client that asks. */
export interface AskedConsent {
  /** What the client calls itself. Nobody has checked it. */
  readonly name: string
  /** Where the person is sent back to: a host, or what an app's address begins with. */
  readonly host: string
  /** Where the client describes itself; null for one that has registered. */
  readonly documentHost: string | null
  readonly target: 'site' | 'app' | 'computer'
  readonly isKnown: boolean
  /** The rights that the client asks for. */
  readonly scopes: readonly string[]
}

const decision = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('deny') }),
  z.object({
    decision: z.literal('allow'),
    write: z.boolean(),
    draft: z.boolean(),
    projectId: z.string().nullable(),
    days: z.number(),
  }),
])

function targetOf(redirectUri: string): Pick<AskedConsent, 'host' | 'target' | 'isKnown'> {
  const url = new URL(redirectUri)
  const { protocol, host, hostname } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { host: `${protocol}//${host}`, target: 'app', isKnown: knownApps.has(protocol) }
  }
  if (isLoopback(hostname)) return { host: hostname, target: 'computer', isKnown: true }
  return { host, target: 'site', isKnown: protocol === 'https:' && knownHosts.has(host) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The authorization under way that the cookie of the browser names. @throws {Fault} `not_found` */
async function interactionOf(provider: Provider, request: IncomingMessage): Promise<Interaction> {
  const found = await provider
    .interactionDetails(request, new ServerResponse(request))
    .catch(() => undefined)
  if (found) return found
  throw new Fault('not_found', 'The request to connect is unknown or has expired.', {
    extras: { howToFix: 'Connect from your AI client again, in this browser.' },
  })
}

async function askedOf(provider: Provider, { params }: Interaction) {
  const clientId = textOf(params.client_id)
  const client = await provider.Client.find(clientId)
  const documentHost = clientId.startsWith('https:') ? new URL(clientId).host : null
  const asked: AskedConsent = {
    name: client?.clientName ?? 'An AI client',
    documentHost,
    ...targetOf(textOf(params.redirect_uri)),
    scopes: textOf(params.scope).split(' '),
  }
  return { clientId, asked }
}

/** What the page asks. @throws {Fault} `not_found`, `forbidden` */
export async function showConsent(
  provider: Provider,
  request: IncomingMessage,
  principal: Principal,
): Promise<AskedConsent> {
  refuseToConnect(principal)
  return (await askedOf(provider, await interactionOf(provider, request))).asked
}

/**
 * Records what the person decided. A repetition finds the connection that the first has made.
 * @returns where the browser goes on
 * @throws {Fault} `not_found`, `forbidden`, `invalid_argument`, `plan_upgrade_required`
 */
export async function decideConsent(
  provider: Provider,
  db: Db,
  { request, principal, body }: { request: IncomingMessage; principal: Principal; body: unknown },
): Promise<{ readonly to: string }> {
  refuseToConnect(principal)
  const given = check(decision, body)
  const interaction = await interactionOf(provider, request)
  if (given.decision === 'deny') {
    return finish(provider, request, {
      error: 'access_denied',
      error_description: 'The person refused.',
    })
  }
  const { clientId, asked } = await askedOf(provider, interaction)
  const { name, host } = asked
  const grantId = interaction.uid
  await connectClient(db, principal, given, { grantId, clientId, name, host })
  const { scopes, capabilities } = grantsOf(given)
  const scope = [...scopes, ...capabilities].join(' ')
  const accountId = principal.userId
  const grant = new provider.Grant({ accountId, clientId })
  Object.assign(grant, { jti: grantId, expiresIn: given.days * 24 * 60 * 60 })
  grant.addOIDCScope(scope)
  const { resource } = interaction.params
  for (const each of [resource].flat()) grant.addResourceScope(textOf(each), scope)
  await grant.save()
  // The token then says what the person allowed, which may be more or less than the client asked for.
  interaction.params.scope = `${scope} offline_access`
  await interaction.persist()
  return finish(provider, request, {
    login: { accountId, remember: false },
    consent: { grantId },
  })
}

async function finish(
  provider: Provider,
  request: IncomingMessage,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<{ readonly to: string }> {
  const to = await provider.interactionResult(request, new ServerResponse(request), result, {
    mergeWithLastSubmission: false,
  })
  return { to }
}
