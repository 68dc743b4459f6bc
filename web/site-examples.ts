/** A question of a dashboard, as a tab of GraphiQL shows it. */
export interface ExampleQuery {
  readonly title: string
  readonly query: string
}

/** Questions about the brand's own site: who reads it, and what comes of that. */
export const siteQueries: readonly ExampleQuery[] = [
  {
    title: 'Who reads our site?',
    query: `# Which AI crawlers read our site, and do answers cite the pages that they read?
query WhoReadsOurSite {
  projects(limit: 1) {
    name
    trafficOverview(days: 90) {
      crawlers {
        total
        byBot {
          botName
          botCategory
          visits
        }
      }
      topPages {
        path
        crawls
      }
    }
    sourceUrls(days: 90, sourceType: ["brand"], limit: 10) {
      urls {
        url
        responsesWithUrl
      }
    }
    crawlsByDay: trafficOverview(days: 14) {
      crawlers {
        series {
          date
          total
        }
      }
    }
    citationsByDay: sourceTrend(days: 14, group: "brand") {
      citations {
        date
        citationCount
      }
    }
  }
}
`,
  },
  {
    title: 'What became of a page?',
    query: `# Crawled, cited, clicked: one page over time, in one question.
query WhatBecameOfAPage {
  projects(limit: 1) {
    name
    pageMetrics(url: "https://www.lumora.example/products/lumora-halo-3", days: 30) {
      url
      citations {
        series {
          date
          count
        }
      }
      clicks {
        available
        series {
          date
          clicks
          impressions
        }
      }
      referrals {
        available
        series {
          date
          platform
          sessions
        }
      }
      crawls {
        available
        series {
          date
          botName
          visits
        }
      }
    }
  }
}
`,
  },
]
