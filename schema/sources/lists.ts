import { roundedOrZero } from '../../core/metrics.ts'
import { contentTypes as contentTypeNames } from '../../core/sites/content-types.ts'
import { sourceTypes } from '../../core/sites/source-types.ts'
import type { DomainRow, sourceDomains } from '../../resolvers/sources/sources.ts'
import type { domainUrls, sourceUrls, UrlRow } from '../../resolvers/sources/urls.ts'
import { builder } from '../kit/builder.ts'
import { success } from '../kit/report-fields.ts'

const domainMetrics = builder.objectRef<DomainRow>('SourceDomainMetrics').implement({
  description: 'The ratios of a cited domain with their numerators and denominators.',
  fields: (t) => ({
    usage: t.field({
      type: 'Metric',
      description: 'Answers that cite the domain, out of all answers in scope.',
      resolve: (row) => row.usage,
    }),
    avgCitations: t.field({
      type: 'Metric',
      description: 'Citations of the domain per answer that cites it.',
      resolve: (row) => row.avgCitations,
    }),
    avgCitationsPerResponse: t.field({
      type: 'Metric',
      description: 'Citations of the domain per answer in scope.',
      resolve: (row) => row.avgCitationsPerResponse,
    }),
  }),
})

const sourceDomain = builder.objectRef<DomainRow>('SourceDomain').implement({
  description: 'A registrable domain that answers cite.',
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'The registrable domain, `wikipedia.org`.' }),
    rank: t.expose('rank', {
      type: 'SafeInt',
      description: 'Place by `totalCitations`, then name, after the filters.',
    }),
    frequency: t.expose('frequency', {
      type: 'SafeInt',
      description: 'Answers that cite the domain.',
    }),
    avgCitations: t.float({
      description: 'Citations of the domain per answer that cites it.',
      resolve: (row) => roundedOrZero(row.avgCitations),
    }),
    type: t.exposeString('type', {
      description: `Source type: ${sourceTypes.join(', ')}. \`brand\` and \`competitor\` are this project's own.`,
    }),
    totalCitations: t.expose('totalCitations', {
      type: 'SafeInt',
      description: 'Citations of the domain: one for each URL that an answer cites.',
    }),
    models: t.exposeStringList('models', {
      description: 'Models whose answers cite the domain, most citations first.',
    }),
    pageCount: t.expose('pageCount', { type: 'SafeInt', description: 'Distinct cited URLs.' }),
    usage: t.float({
      description: 'Percent of the answers in scope that cite the domain.',
      resolve: (row) => roundedOrZero(row.usage),
    }),
    avgCitationsPerResponse: t.float({
      description: 'Citations of the domain per answer in scope.',
      resolve: (row) => roundedOrZero(row.avgCitationsPerResponse),
    }),
    topContentTypes: t.exposeStringList('topContentTypes', {
      description: 'Up to three content types, most citations first.',
    }),
    subdomains: t.exposeStringList('subdomains', {
      description: 'Cited hosts under the domain, but for the bare one and `www.`.',
    }),
    metrics: t.field({
      type: domainMetrics,
      view: 'graph',
      description: 'The ratios with their numerators, denominators and intervals.',
      resolve: (row) => row,
    }),
  }),
})

export const sourceDomainList = builder
  .objectRef<Awaited<ReturnType<typeof sourceDomains>>>('SourceDomainList')
  .implement({
    description: 'A page of cited domains.',
    fields: (t) => ({
      sources: t.field({
        type: [sourceDomain],
        description: 'The domains of the page, in the order asked for.',
        resolve: (list) => list.sources,
      }),
      totalSources: t.expose('totalSources', {
        type: 'SafeInt',
        description: 'Distinct domains after the filters.',
      }),
      hasMore: t.exposeBoolean('hasMore', { description: 'Whether more rows follow.' }),
      success: t.boolean(success),
      totalCitations: t.field({
        type: 'SafeInt',
        view: 'rest',
        description: 'Alias of `totalSources`, kept for old clients.',
        resolve: (list) => list.totalSources,
      }),
      nextCursor: t.exposeString('nextCursor', {
        nullable: true,
        description: 'Pass it as `cursor` for the next page; null on the last.',
      }),
    }),
  })

const sourceUrlMetrics = builder.objectRef<UrlRow>('SourceUrlMetrics').implement({
  description: 'The ratios of a cited URL with their numerators and denominators.',
  fields: (t) => ({
    usage: t.field({
      type: 'Metric',
      description: 'Answers that cite the URL, out of all answers in scope.',
      resolve: (row) => row.usage,
    }),
  }),
})

const sourceUrl = builder.objectRef<UrlRow>('SourceUrl').implement({
  description: 'A URL that answers cite, normalised.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The normalised URL.' }),
    domain: t.exposeString('domain', { description: 'Its registrable domain.' }),
    title: t.exposeString('title', { description: 'The title last seen; empty when none was.' }),
    rank: t.expose('rank', {
      type: 'SafeInt',
      description: 'Place by `responsesWithUrl`, then URL, after the filters.',
    }),
    usage: t.float({
      description: 'Percent of the answers in scope that cite the URL.',
      resolve: (row) => roundedOrZero(row.usage),
    }),
    totalResponses: t.expose('totalResponses', {
      type: 'SafeInt',
      description: 'Answers in scope.',
    }),
    responsesWithUrl: t.expose('responsesWithUrl', {
      type: 'SafeInt',
      description: 'Answers that cite the URL.',
    }),
    contentType: t.exposeString('contentType', {
      description: `Content type: ${contentTypeNames.join(', ')}.`,
    }),
    citationType: t.exposeString('citationType', {
      description: 'The source type of its domain.',
    }),
    brandMentioned: t.exposeBoolean('brandMentioned', {
      description: 'Whether some answer that cites the URL names the brand.',
    }),
    hasContent: t.exposeBoolean('hasContent', {
      description: 'Whether the content of the page is cached.',
    }),
    periodGrowth: t.exposeFloat('periodGrowth', {
      description:
        'Growth of `responsesWithUrl` in percent against the equal window just before; 100 for a new URL.',
    }),
    metrics: t.field({
      type: sourceUrlMetrics,
      view: 'graph',
      description: 'The ratios with their numerators, denominators and intervals.',
      resolve: (row) => row,
    }),
  }),
})

export const sourceUrlList = builder
  .objectRef<Awaited<ReturnType<typeof sourceUrls>>>('SourceUrlList')
  .implement({
    description: 'A page of cited URLs.',
    fields: (t) => ({
      urls: t.field({
        type: [sourceUrl],
        description: 'The URLs of the page, most citing answers first.',
        resolve: (list) => list.urls,
      }),
      totalUrls: t.expose('totalUrls', {
        type: 'SafeInt',
        description: 'Distinct URLs after the filters.',
      }),
      hasMore: t.exposeBoolean('hasMore', { description: 'Whether more rows follow.' }),
      success: t.boolean(success),
      nextCursor: t.exposeString('nextCursor', {
        nullable: true,
        description: 'Pass it as `cursor` for the next page; null on the last.',
      }),
    }),
  })

export const domainUrlList = builder
  .objectRef<Awaited<ReturnType<typeof domainUrls>>>('DomainUrlList')
  .implement({
    description: 'A page of the cited URLs of one domain.',
    fields: (t) => ({
      domain: t.exposeString('domain', { description: 'The registrable domain.' }),
      urls: t.field({
        type: [sourceUrl],
        description: 'The URLs of the page, most citing answers first.',
        resolve: (list) => list.urls,
      }),
      hasMore: t.exposeBoolean('hasMore', { description: 'Whether more rows follow.' }),
      nextCursor: t.exposeString('nextCursor', {
        nullable: true,
        description: 'Pass it as `cursor` for the next page; null on the last.',
      }),
      success: t.boolean(success),
    }),
  })
