import { z } from 'zod'
import { type AskGoogle, GoogleRefusal } from './google.ts'

/** A site of Search Console, or a property of Google Analytics 4, that an account may read. */
export interface GoogleProperty {
  /** A site as Search Console writes it, or the number of a property. */
  readonly name: string
  /** The name of a property and its account; null for a site. */
  readonly label: string | null
}

/** What can be chosen, and why the other is missing. */
export interface PropertyList {
  readonly properties: readonly GoogleProperty[]
  readonly problem: string | null
}

const sitesAnswer = z.object({
  siteEntry: z
    .array(z.object({ siteUrl: z.string(), permissionLevel: z.string().optional() }))
    .optional(),
})

/** @see https://developers.google.com/webmaster-tools/v1/sites/list */
export function listSites(ask: AskGoogle): Promise<PropertyList> {
  return listed(async () => {
    const { siteEntry = [] } = sitesAnswer.parse(
      await ask('https://searchconsole.googleapis.com/webmasters/v3/sites'),
    )
    return siteEntry
      .filter(({ permissionLevel }) => permissionLevel !== 'siteUnverifiedUser')
      .map(({ siteUrl }) => ({ name: siteUrl, label: null }))
  })
}

const summariesAnswer = z.object({
  accountSummaries: z
    .array(
      z.object({
        displayName: z.string().optional(),
        propertySummaries: z
          .array(z.object({ property: z.string(), displayName: z.string().optional() }))
          .optional(),
      }),
    )
    .optional(),
  nextPageToken: z.string().optional(),
})

const summaries = 'https://analyticsadmin.googleapis.com/v1beta/accountSummaries?pageSize=200'
/** 4,000 accounts: who has more names the property. */
const mostPages = 20

/** @see https://developers.google.com/analytics/devguides/config/admin/v1/rest/v1beta/accountSummaries/list */
export function listProperties(ask: AskGoogle): Promise<PropertyList> {
  return listed(async () => {
    const found: GoogleProperty[] = []
    let token: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const next: string = token ? `&pageToken=${encodeURIComponent(token)}` : ''
      const { accountSummaries = [], nextPageToken } = summariesAnswer.parse(
        await ask(summaries + next),
      )
      for (const { displayName: account, propertySummaries = [] } of accountSummaries) {
        for (const { property, displayName } of propertySummaries) {
          const label = [displayName, account].filter(Boolean).join(', ')
          found.push({ name: property.replace(/^properties\//, ''), label: label || null })
        }
      }
      token = nextPageToken
      if (!token) break
    }
    return found
  })
}

async function listed(read: () => Promise<readonly GoogleProperty[]>): Promise<PropertyList> {
  try {
    const properties = await read()
    return {
      properties: properties.toSorted((a, b) => (shown(a) < shown(b) ? -1 : 1)),
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof GoogleRefusal)) throw error
    return { properties: [], problem: error.message }
  }
}

const shown = ({ name, label }: GoogleProperty) => label ?? name
