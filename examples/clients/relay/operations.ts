// Relay's compiler reads this file. A bundler with Relay's plugin puts the compiled operations in the place of the texts;
// `main.ts` runs without a bundler, and imports them.
import { graphql } from 'relay-runtime'

export const byPlatform = () => graphql`
  query operationsByPlatformQuery {
    projects(first: 2) {
      nodes {
        id
        name
        platforms(first: 3) {
          nodes {
            displayName
            visibility(window: { days: 90 }) {
              summary {
                visibilityScore
              }
            }
          }
        }
      }
    }
  }
`

export const prompts = () => graphql`
  query operationsPromptsQuery($project: ID!, $after: String) {
    project(id: $project) {
      prompts(first: 25, after: $after) @connection(key: "operations_prompts") {
        totalCount
        edges {
          node {
            text
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`

export const addPrompt = () => graphql`
  mutation operationsAddPromptMutation($project: ID!, $text: String!, $key: String!) {
    addPrompts(projectId: $project, prompts: [{ text: $text }], idempotencyKey: $key) {
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
  }
`
