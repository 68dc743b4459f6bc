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

/** The operations that GraphiQL opens, a tab each. They need no ids: they read the first project of the key. */
export const exampleQueries: readonly ExampleQuery[] = [
  {
    title: 'Where do our competitors lead?',
    query: `# Where do our competitors lead, which prompts name them,
# and which brands do the answers of those topics name?
query WhereTheyLead {
  projects(first: 1) {
    nodes {
      name
      competitors {
        nodes {
          name
          visibility(window: { days: 90 }) {
            visibilityScore
            averagePosition
          }
          leadingTopics(window: { days: 90 }) {
            nodes {
              name
              brands(window: { days: 90 }) {
                nodes {
                  brand {
                    name
                  }
                  visibility {
                    visibilityScore
                  }
                }
              }
            }
          }
          prompts(window: { days: 90 }, first: 3) {
            nodes {
              answers
              prompt {
                text
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
    title: 'Where do answers lead?',
    query: `# From each topic to its newest answers and their prompts, to our
# pages that the answers cite, and to what AI crawlers read there.
query FromTopicToCrawls {
  projects(first: 1) {
    nodes {
      name
      topics {
        nodes {
          name
          answers(window: { days: 90 }, first: 3) {
            totalCount
            nodes {
              prompt {
                text
              }
              aiPlatform {
                displayName
              }
              citations {
                domain
                page {
                  ...Crawled
                }
              }
            }
          }
        }
      }
    }
  }
}

fragment Crawled on Page {
  url
  openIssueCount
  metrics(window: { days: 30 }) {
    crawls {
      series {
        date
        visits
      }
    }
  }
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
                        responsesWithMention
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
    title: 'Who is named beside a source?',
    query: `# The sources that answers lean on: who is named in those answers,
# in what tone, and which prompts lead there?
query BesideASource {
  projects(first: 1) {
    nodes {
      name
      sourceDomains(window: { days: 90 }, first: 5) {
        totalCount
        nodes {
          domain
          type
          totalCitations
          brands(window: { days: 90 }) {
            nodes {
              brand {
                name
                isOwn
              }
              sentiment {
                score
              }
            }
          }
          prompts(window: { days: 90 }, first: 2) {
            nodes {
              answers
              prompt {
                text
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
    title: 'The same numbers of every slice',
    query: `# The same reports of the whole project, of each topic,
# of each assistant and of each place. The service reads
# a list of slices in as many statements as one slice.
query SliceBySlice {
  projects(first: 1) {
    nodes {
      name
      visibility(window: { days: 90 }) {
        ...Score
        # The days to ask for, where the window has no answers.
        dataAvailable {
          from
          to
        }
      }
      topics {
        nodes {
          name
          visibility(window: { days: 90 }) {
            ...Score
          }
          shareOfVoice(window: { days: 90 }) {
            brand {
              sov
            }
          }
          sentiment(window: { days: 90 }) {
            summary {
              score
            }
          }
        }
      }
      platforms {
        nodes {
          displayName
          visibility(window: { days: 90 }) {
            ...Score
          }
          referrals(window: { days: 90 }) { sessions }
        }
      }
      locations {
        nodes {
          city
          visibility(window: { days: 90 }) {
            ...Score
          }
        }
      }
    }
  }
}

fragment Score on Visibility {
  summary {
    visibilityScore
    totalResponses
    metrics {
      visibilityScore {
        low
        high
      }
    }
  }
}
`,
  },
  {
    title: 'What changed, and what is worth doing?',
    query: `# Why did visibility change, and which work promises most?
# Each suggestion leads to the faults and pages behind it.
query WhatChanged {
  projects(first: 1) {
    nodes {
      name
      investigate(metric: visibility, window: { days: 30 }) {
        change
        isSignificant
        drivers {
          dimension
          label
          contribution
        }
      }
      opportunities(filter: { sources: [audits] }, first: 10) {
        nodes {
          impact
          title
          evidence {
            label
            count
            issue {
              title
              affectedCount
              page {
                url
                citations(window: { days: 30 }) {
                  answers
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
]
