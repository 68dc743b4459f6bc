import { type OperationDefinitionNode, parse } from 'graphql'
import type { Page, Response } from 'playwright-core'

export function operationOf(query: string): OperationDefinitionNode | undefined {
  const [operation] = parse(query).definitions as OperationDefinitionNode[]
  return operation
}

/** What GraphiQL calls the tab of an operation: its name. */
export const tabOf = (query: string) => operationOf(query)?.name?.value ?? ''

/** An editor of GraphiQL by the end of its name. */
export const editorOf = (page: Page, name: string) => page.locator(`[data-uri$="-${name}"]`)

/** Waits until a line of an editor holds the text. */
export async function seeLine(page: Page, editor: string, text: string): Promise<void> {
  const lines = editorOf(page, editor).locator('.view-line')
  await lines.filter({ hasText: text }).first().waitFor()
}

/** By keyboard: at a first press of the mouse GraphiQL lets a tab slide away, to be dragged. */
export async function showTab(page: Page, tab: string): Promise<void> {
  await page.locator('.graphiql-tab-button', { hasText: tab }).press('Enter')
  await seeLine(page, 'operation.graphql', ` ${tab}`)
}

/**
 * Runs what stands in the tab, and gives the service's answer. GraphiQL asks nothing until it has learnt the
 * operation's name, some half a second after a tab is shown.
 */
export async function run(page: Page): Promise<unknown> {
  // Beside the operation GraphiQL reads the schema, and exchanges a code for its key.
  const isAnswer = (answer: Response) =>
    answer.url().endsWith('/graphql') &&
    answer.request().method() === 'POST' &&
    !answer.request().postData()?.includes('IntrospectionQuery')
  for (let attempt = 0; attempt < 5; attempt++) {
    const [response] = await Promise.all([
      page.waitForResponse(isAnswer, { timeout: 2000 }).catch(() => undefined),
      page.getByRole('button', { name: /^Execute query/ }).click(),
    ])
    if (response) return response.json()
  }
  throw new Error('GraphiQL did not ask.')
}
