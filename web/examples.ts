/** A question that only a graph answers, as a tab of GraphiQL. */
export interface ExampleQuery {
  readonly title: string
  readonly query: string
  /** JSON. */
  readonly variables?: string
}

/** GraphiQL sends the id of the key's first project in the place of this id. */
export const projectPlaceholder = 'YOUR_PROJECT'

/** The project of the tabs that take an id. */
const ownProject = `{ "projectId": "${projectPlaceholder}" }`

/** The same with the key of a change that may be sent twice. */
const onceInOwnProject = `{ "projectId": "${projectPlaceholder}", "key": "from-graphiql-1" }`

/** The operations that GraphiQL opens, a tab each. They need no ids: they read the first project of the key. */
export const exampleQueries: readonly ExampleQuery[] = [
  {
    title: 'How visible are we by topic, beside the leaders?',
    query: `# How visible are we by topic, beside the three competitors
# that the answers of the topic name most?
query TopicsAndLeaders {
  projects(first: 1) {
    nodes {
      name
      topics(first: 20) {
        nodes {
          name
          brands(window: { days: 30 }, first: 4) {
            nodes {
              brand {
                name
                isOwn
              }
              visibility {
                visibilityScore
                averagePosition
              }
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
    title: 'Where are competitors mentioned, and we are not?',
    query: `# Where are competitors mentioned, and we are not? Prompts by
# their lost answers, and the domains that lost answers cite.
query NamedWithoutUs {
  projects(first: 1) {
    nodes {
      name
      promptResults(
        window: { days: 30 }
        sort: lost_answers_desc
        first: 10
      ) {
        counts {
          won
          lost
        }
        nodes {
          prompt {
            text
          }
          answerCount
          lostAnswerCount
          leader {
            name
          }
          gap
          lostAnswers(first: 2) {
            nodes {
              platform {
                displayName
              }
              mentions {
                brand {
                  name
                }
                rank
              }
            }
          }
        }
      }
      domainsToWin(window: { days: 30 }, first: 5) {
        nodes {
          domain
          lostAnswerCount
          promptCount
        }
      }
    }
  }
}
`,
  },
  {
    title: 'Which domains do answers cite, and which pages of them?',
    query: `# The twenty domains that answers cite most, with their pages.
query CitedDomains {
  projects(first: 1) {
    nodes {
      name
      sourceDomains(window: { days: 30 }, first: 20) {
        totalCount
        nodes {
          domain
          type
          citationRate
          citationCount
          urls(first: 3) {
            totalCount
            nodes {
              url
              contentType
              citedIn
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
    title: 'From crawler to visitor: one page after the other',
    query: `# Our pages on the way from crawler to visitor: crawled by AI
# crawlers, retrieved for answers, cited in them, and visited
# by people who came from an AI platform.
query PageToVisit {
  projects(first: 1) {
    nodes {
      name
      pages(first: 5) {
        nodes {
          url
          metrics(window: { days: 30 }) {
            crawls {
              total
            }
            retrievals {
              total
            }
            citations {
              total
              lastCitedOn
            }
            referrals {
              total
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
    title: 'All projects at a glance',
    query: `# All projects of the key at a glance.
query AllProjects {
  projects(first: 20) {
    totalCount
    nodes {
      name
      domain
      visibility(window: { days: 30 }) {
        summary {
          visibilityScore
          averagePosition
          answerCount
        }
      }
      shareOfVoice(window: { days: 30 }, first: 3) {
        nodes {
          brand {
            name
            isOwn
          }
          shareOfVoice
        }
      }
      sentiment(window: { days: 30 }) {
        summary {
          score
        }
      }
    }
  }
}
`,
  },
  {
    title: 'In what tone does each AI platform speak of us, by week?',
    query: `# In what tone do the answers of each AI platform speak of us,
# week by week? A score needs five rated answers.
query SentimentByPlatform {
  projects(first: 1) {
    nodes {
      name
      platforms {
        nodes {
          displayName
          sentimentHistory(window: { days: 90 }, interval: week) {
            history {
              date
              score
              rated
              metrics {
                score {
                  low
                  high
                }
              }
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
    title: 'What changed, and is it more than chance?',
    query: `# What changed since the previous 30 days, and is it more than
# chance? The interval is the 95% confidence interval.
query Changed {
  projects(first: 1) {
    nodes {
      name
      visibility(window: { days: 30 }, compare: previous_period) {
        summary {
          visibilityScore
          changes {
            visibilityScore {
              ...ChangeWithInterval
            }
          }
        }
      }
      shareOfVoice(window: { days: 30 }, compare: previous_period) {
        own {
          shareOfVoice
          change {
            ...ChangeWithInterval
          }
        }
      }
      investigate(metric: visibility, window: { days: 30 }) {
        drivers {
          dimension
          label
          contribution
        }
      }
    }
  }
}

fragment ChangeWithInterval on MetricChange {
  previous {
    value
  }
  change
  interval {
    low
    high
  }
  isSignificant
}
`,
  },
  {
    title: 'What is worth doing, and what says so?',
    query: `# What is worth doing, and what says so? Evidence of a gap leads
# to its prompts and competitors, that of an audit to its pages.
query Opportunities {
  projects(first: 1) {
    nodes {
      name
      gaps: opportunities(filter: { sources: [competitors] }, first: 5) {
        totalCount
        nodes {
          ...Reason
          evidence {
            label
            count
            ... on PromptEvidence {
              prompt {
                text
              }
            }
            ... on CompetitorEvidence {
              prompt {
                text
              }
              competitor {
                name
              }
            }
          }
        }
      }
      site: opportunities(filter: { sources: [audits] }, first: 10) {
        totalCount
        nodes {
          ...Reason
          evidence {
            label
            count
            ... on IssueEvidence {
              issue {
                title
              }
              page {
                url
              }
            }
          }
        }
      }
    }
  }
}

fragment Reason on Opportunity {
  impact
  title
  description
}
`,
  },
  {
    title: 'What do crawlers read, and what comes of it?',
    query: `# From an assistant to its crawlers, to the pages they read most,
# to the answers that cite them, and to the brands named there.
query ReadCitedNamed {
  projects(first: 1) {
    nodes {
      name
      platforms {
        nodes {
          displayName
          crawlers(window: { days: 90 }) {
            botName
            visits
            pages(first: 2) {
              nodes {
                visits
                page {
                  url
                  answers(window: { days: 90 }, first: 1) {
                    totalCount
                    nodes {
                      prompt {
                        text
                      }
                    }
                  }
                  brands(window: { days: 90 }) {
                    nodes {
                      brand {
                        name
                      }
                      visibility {
                        mentionedIn
                      }
                    }
                  }
                }
              }
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
    title: 'A change that may be sent twice',
    query: `# Run this twice: one prompt is added, because both requests
# have the same key. Send a key with each change, and repeat
# the request with it when the answer did not arrive.
mutation AddOnce($projectId: ID!, $key: String!) {
  addPrompts(
    projectId: $projectId
    prompts: [{ text: "Which headphones last longest?" }]
    idempotencyKey: $key
  ) {
    __typename
    ... on PromptAddition {
      prompts {
        id
        text
        createdAt
      }
    }
    ... on Problem {
      code
      message
      howToFix
    }
  }
}
`,
    variables: onceInOwnProject,
  },
  {
    title: 'A refused change is data',
    query: `# Both changes are refused, each with a problem as data:
# an empty text, and a topic that does not exist.
# YOUR_PROJECT is your first project. Nothing is changed.
mutation Refused($projectId: ID!) {
  noText: addPrompts(
    projectId: $projectId
    prompts: [{ text: " " }]
  ) {
    ...Added
  }
  noTopic: addPrompts(
    projectId: $projectId
    prompts: [
      {
        text: "Which headphones last?"
        topicIds: ["00000000-0000-4000-8000-000000000000"]
      }
    ]
  ) {
    ...Added
  }
}

fragment Added on AddPromptsResult {
  __typename
  ... on PromptAddition {
    prompts {
      text
    }
  }
  ... on Problem {
    code
    message
    howToFix
  }
  ... on InvalidInput {
    fields {
      path
      message
    }
  }
}
`,
    variables: ownProject,
  },
  {
    title: 'Watch the project',
    query: `# Events as they happen: leave this running, then import answers
# or edit a prompt. YOUR_PROJECT is your first project.
subscription Watch($projectId: ID!) {
  projectUpdated(projectId: $projectId) {
    __typename
    at
    ... on AuditProgressed {
      audit {
        status
        progress {
          done
          total
        }
        issueCount
      }
    }
    ... on CrawlersVisited {
      hits
      crawlers {
        botName
        hits
      }
    }
    ... on DataImported {
      project {
        visibility(window: { days: 30 }) {
          summary {
            visibilityScore
          }
        }
      }
    }
  }
}
`,
    variables: ownProject,
  },
]
