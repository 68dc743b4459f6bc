import { setTimeout } from 'node:timers/promises'
import { type OperationDefinitionNode, parse } from 'graphql'
import type { Page, Request } from 'playwright-core'

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
 * operation's name, some half a second after a tab is shown: until then it is pressed again.
 * @param operation waits for the answer of this one: on a slow machine the tab before may have been pressed twice
 */
export async function run(page: Page, operation?: string): Promise<unknown> {
  // Beside the operation GraphiQL reads the schema, and exchanges a code for its key.
  const isQuestion = (asked: Request) =>
    asked.url().endsWith('/graphql') &&
    asked.method() === 'POST' &&
    !asked.postData()?.includes('IntrospectionQuery') &&
    (operation === undefined || asked.postDataJSON()?.operationName === operation)
  const execute = page.getByRole('button', { name: /^Execute query/ })
  const question = page.waitForRequest(isQuestion)
  let asked: Request | undefined
  while (!asked) {
    // While it asks, the button is another.
    await execute.click({ timeout: 1000 }).catch(() => undefined)
    asked = await Promise.race([question, setTimeout(700, undefined)])
  }
  return (await asked.response())?.json()
}
