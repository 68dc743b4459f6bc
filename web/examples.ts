/** A question of a dashboard, as a tab of GraphiQL. */
export interface ExampleQuery {
  readonly title: string
  readonly query: string
}

/** The queries that GraphiQL opens, a tab each. They need no variables: they read the first project. */
export const exampleQueries: readonly ExampleQuery[] = [
  {
    title: 'How visible are we?',
    query: `# How visible are we, is it getting better, and on which assistants?
query HowVisible {
  projects(first: 1) {
    nodes {
      name
      visibility(window: { days: 30 }, compare: previous_period) {
        summary {
          visibilityScore
          averagePosition
          totalResponses
          metrics {
            visibilityScore {
              numerator
              denominator
              low
              high
            }
          }
        }
        comparison {
          deltas {
            visibilityScore
            averagePosition
          }
        }
        platforms {
          displayName
          visibilityRate
          responses
        }
      }
      visibilityByTopic(window: { days: 30 }, compare: previous_period) {
        topics {
          topicName
          visibilityScore
          visibilityScoreDelta
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Why did it change?',
    query: `# By how much did visibility change, who made the change, and can it be chance?
query WhyDidItChange {
  projects(first: 1) {
    nodes {
      name
      investigate(metric: visibility, window: { days: 30 }) {
        current
        previous
        change
        interval {
          low
          high
        }
        isSignificant
        drivers {
          dimension
          label
          contribution
          rateEffect
          mixEffect
        }
        evidence {
          platform
          date
          excerpt
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Ahead of whom?',
    query: `# Who else is named, how much of the voice is ours, and who gains?
query AheadOfWhom {
  projects(first: 1) {
    nodes {
      name
      shareOfVoice(window: { days: 30 }, compare: previous_period) {
        brand {
          name
          sov
          sovDelta
        }
        competitors {
          name
          sov
          sovDelta
          responsesWithMention
        }
      }
      competitors(window: { days: 30 }) {
        nodes {
          name
          responseMentionRate
          averagePosition
          citations
        }
      }
    }
  }
}
`,
  },
  {
    title: 'In what tone?',
    query: `# In what tone are we spoken of, beside our rivals?
query InWhatTone {
  projects(first: 1) {
    nodes {
      name
      sentiment(window: { days: 90 }) {
        summary {
          score
          netSentiment
          positive
          neutral
          negative
        }
      }
      sentimentByCompetitor(window: { days: 90 }) {
        competitors {
          name
          score
          positive
          negative
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Which sources do the answers lean on?',
    query: `# Which sites and kinds of pages do the answers lean on, and are we named there?
query WhichSources {
  projects(first: 1) {
    nodes {
      name
      sourceDomains(window: { days: 90 }, first: 5) {
        totalCount
        nodes {
          rank
          domain
          type
          totalCitations
          metrics {
            usage {
              value
              numerator
              denominator
              low
              high
            }
          }
        }
      }
      sourceUrls(window: { days: 30 }, first: 5) {
        nodes {
          url
          contentType
          periodGrowth
          brandMentioned
        }
      }
      contentTypes(window: { days: 90 }) {
        contentTypes {
          contentType
          totalUsed
          citationRate
          competitors
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Where are we missing?',
    query: `# Answers that name others and not us: what was asked, who was named, which pages were cited?
query WhereMissing {
  projects(first: 1) {
    nodes {
      name
      answers(
        window: { days: 30 }
        filter: { branded: false }
        mentioned: false
        first: 5
      ) {
        totalCount
        nodes {
          platform
          promptText
          mentions {
            name
            rank
          }
          citations {
            domain
            title
          }
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Who reads our site?',
    query: `# Which AI crawlers read our site, and do answers cite the pages that they read?
query WhoReadsOurSite {
  projects(first: 1) {
    nodes {
      name
      trafficOverview(window: { days: 90 }) {
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
      sourceUrls(window: { days: 90 }, sourceTypes: [brand], first: 10) {
        nodes {
          url
          responsesWithUrl
        }
      }
      crawlsByDay: trafficOverview(window: { days: 14 }) {
        crawlers {
          series {
            date
            total
          }
        }
      }
      citationsByDay: sourceTrend(window: { days: 14 }, group: brand) {
        citations {
          date
          citationCount
        }
      }
    }
  }
}
`,
  },
  {
    title: 'How does one page perform?',
    query: `# Crawled, cited, clicked: one page over time, in one question.
query WhatBecameOfAPage {
  projects(first: 1) {
    nodes {
      name
      pageMetrics(
        url: "https://www.lumora.example/products/lumora-halo-3"
        window: { days: 30 }
      ) {
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
}
`,
  },
  {
    title: 'What is wrong with our site?',
    query: `# What did audits find, how is it fixed,
# and do answers cite these pages?
query WhatIsWrong {
  projects(first: 1) {
    nodes {
      name
      issues(severities: [critical, high], first: 10) {
        summary {
          total
          bySeverity {
            critical
            high
            medium
            low
          }
        }
        nodes {
          severity
          title
          affectedCount
          howToFix
          page {
            url
            citations(window: { days: 30 }) {
              answers
              lastCitedOn
              platforms {
                platform
                answers
              }
            }
          }
        }
      }
      audits(first: 1) {
        nodes {
          status
          pageCount
          scores {
            overall
            technical
            content
            aiReadiness
          }
        }
      }
    }
  }
}
`,
  },
  {
    title: 'What is a fix worth?',
    query: `# Is a fix worth it? Pages that pass a check, against pages
# that fail it: are they crawled and cited more often?
query WhatIsAFixWorth {
  projects(first: 1) {
    nodes {
      name
      checks(hasOpenIssues: true) {
        checks {
          id
          severity
          openIssueCount
          passingPages
          failingPages
          worth(window: { days: 30 }) {
            crawled {
              passing {
                value
              }
              failing {
                value
              }
              difference
              interval {
                low
                high
              }
              reason
            }
            cited {
              difference
              interval {
                low
                high
              }
              reason
            }
          }
        }
      }
    }
  }
}
`,
  },
  {
    title: 'What should we do next?',
    query: `# Which work promises most, and why?
query WhatNext {
  projects(first: 1) {
    nodes {
      name
      opportunities(first: 10) {
        nodes {
          impact
          title
          description
          source
          actionType
          createdAt
        }
      }
    }
  }
}
`,
  },
  {
    title: 'What did we report?',
    query: `# Which reports exist, what do they say, and who can open them?
query WhatDidWeReport {
  projects(first: 1) {
    nodes {
      name
      reports(first: 3) {
        nodes {
          title
          status
          shareUrl
          dateRange {
            from
            to
          }
          sections {
            title
            metrics {
              label
              value
              unit
              low
              high
              n
            }
          }
        }
      }
    }
  }
}
`,
  },
]
