import type { Audit } from '../../resolvers/audits/audits.ts'
import {
  type ExternalLink,
  externalLinkCountsOf,
  externalLinksOf,
} from '../../resolvers/audits/external-links.ts'
import { inGraph } from '../kit/args.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { keyCount } from '../kit/counts.ts'
import { filterInput } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { wordsOf } from '../kit/words.ts'
import { auditType } from './audit.ts'

const linkState = builder.enumType('ExternalLinkState', {
  description: 'State of a link to another site.',
  values: {
    broken: {
      description: 'Answers 404, 410 or a server error, or does not answer: nobody gets there.',
    },
    refused: {
      description:
        'Answers another error, such as 401, 403, 429 or 999: the site refuses programs, and people may get there.',
    },
    not_checked: { description: 'Was not requested; `reason` says why.' },
    working: { description: 'Answers below 400, perhaps after redirects.' },
    queued: { description: 'Waits for its turn.' },
  },
})

const linkReason = wordsOf('ExternalLinkReason', 'Why a link has no status, or was not checked.', {
  dns: 'The name of the host does not exist.',
  connection: 'The server refuses or ends the connection.',
  timeout: 'The server takes too long.',
  protocol: 'The answer is no HTTP.',
  certificate: 'The certificate of the host is not valid.',
  redirect_loop: 'The address redirects to itself, or too often.',
  robots: 'robots.txt of the origin of the address keeps SightlineBot out, or fails.',
  private_address: 'The address belongs to a private network.',
  limit: 'The audit found more links than it requests.',
  budget: 'The time for the audit ended before.',
})

const linkKind = wordsOf('ExternalLinkKind', 'How a page names an address elsewhere.', {
  link: 'A link that people click.',
  canonical: 'The canonical address of the page.',
  alternate: 'The page in another language, for another device, or as AMP.',
})

const externalLink = builder.objectRef<ExternalLink>('ExternalLink').implement({
  description:
    'An address that audited pages link to: of another site, or of another origin for alternates.',
  fields: (t) => ({
    address: t.exposeString('address', { description: 'Address as the pages spell it.' }),
    kinds: t.field({
      type: [linkKind],
      description: 'How the pages name the address.',
      resolve: ({ kinds }) => kinds.map((kind) => linkKind.of(kind)),
    }),
    state: t.expose('state', { type: linkState, description: 'State of the link.' }),
    httpStatus: t.expose('httpStatus', {
      type: 'Int',
      nullable: true,
      description: 'Last HTTP status that the address answered with; null without an answer.',
    }),
    reason: t.field({
      type: linkReason,
      nullable: true,
      description: 'Why there is no status, or no request; null where the status says it.',
      resolve: ({ reason }) => linkReason.of(reason),
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'The cause in words, such as the line of robots.txt; null without one.',
    }),
    finalAddress: t.exposeString('finalAddress', {
      nullable: true,
      description: 'Address that redirects lead to; null without a redirect.',
    }),
    pageUrls: t.stringList({
      description: 'URLs of pages that have the link: the first 20 by URL.',
      resolve: ({ pages }) => pages,
    }),
    pageCount: t.expose('pageCount', {
      type: 'Int',
      description: 'Audited pages that have the link.',
    }),
  }),
})

const externalLinks = connectionOf(externalLink, {
  description: 'A page of links to other sites, the broken first, then those on most pages.',
  sortKey: ({ state, pageCount, address }) => [state, pageCount, address],
  isCounted: true,
})

const narrowing = builder.args((t) => ({
  states: t.field({ type: [linkState], description: 'Only links of these states.' }),
}))
inGraph(narrowing, { filter: 'states', input: 'ExternalLinkFilter' })

filterInput('ExternalLinkFilter', {
  rows: 'Links',
  own: {
    states: (t) => t.field({ type: [linkState], description: 'Only links of these states.' }),
  },
})

builder.objectFields(auditType, (t) => ({
  checksExternalLinks: t.exposeBoolean('checksExternalLinks', {
    view: 'graph',
    description: 'Whether the audit also requests the links to other sites.',
  }),
  externalLinkCounts: t.field({
    type: [keyCount],
    view: 'graph',
    description: 'Links to other sites by state, without states that no link has.',
    resolve: ({ id }, _args, context) =>
      together(context, 'audit.external-link-counts', id, {}, (ids) =>
        externalLinkCountsOf(context.services.db, ids),
      ),
  }),
  externalLinks: t.field(
    connectionField({
      type: externalLinks,
      description:
        'Links to other sites; empty unless the audit requests them, and until its pages are read.',
      size: { default: 50, max: 1000 },
      args: narrowing,
      resolve: ({ id }: Audit, { limit, offset, afterKey, states }, context) =>
        together(
          context,
          'audit.external-links',
          id,
          { limit, offset, afterKey, states: states ?? null },
          (ids, args) => externalLinksOf(context.services.db, ids, args),
        ),
    }),
  ),
}))
