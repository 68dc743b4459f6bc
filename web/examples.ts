import { type ExampleQuery, siteQueries } from './site-examples.ts'

/** Queries that GraphiQL opens with, a tab each. They need no variables: the first project answers them. */
export const exampleQueries: readonly ExampleQuery[] = [
  {
    title: 'How visible are we?',
    query: `# How visible are we, is it getting better, and on which assistants?
query HowVisible {
  projects(limit: 1) {
    name
    visibility(days: 30, compare: previous_period) {
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
    visibilityByTopic(days: 30, compare: previous_period) {
      topics {
        topicName
        visibilityScore
        visibilityScoreDelta
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
  projects(limit: 1) {
    name
    shareOfVoice(days: 30, compare: previous_period) {
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
    competitors(days: 30) {
      competitors {
        name
        responseMentionRate
        averagePosition
        citations
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
  projects(limit: 1) {
    name
    sentiment(days: 90) {
      summary {
        score
        netSentiment
        positive
        neutral
        negative
      }
    }
    sentimentByCompetitor(days: 90) {
      competitors {
        name
        score
        positive
        negative
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
  projects(limit: 1) {
    name
    sourceDomains(days: 90, limit: 5) {
      totalSources
      sources {
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
    sourceUrls(days: 30, limit: 5) {
      urls {
        url
        contentType
        periodGrowth
        brandMentioned
      }
    }
    contentTypes(days: 90) {
      contentTypes {
        contentType
        totalUsed
        citationRate
        competitors
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
  projects(limit: 1) {
    name
    answers(days: 30, mentioned: false, unbranded: true, limit: 5) {
      pagination {
        totalCount
      }
      answers {
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
`,
  },
  ...siteQueries,
]
