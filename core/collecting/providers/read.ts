import { chatBody, readChat } from './chat.ts'
import { errorIn, errorInside, type FaultInside } from './fault.ts'
import { contentBody, interactionBody, readContent, readInteraction } from './gemini.ts'
import { messageBody, readMessages, turnBody } from './messages.ts'
import { conversationBody, readConversation } from './mistral.ts'
import type { ProviderReply } from './reply.ts'
import { readResponse, responseBody } from './responses.ts'
import { dataForSeoBody, dataForSeoFault, readDataForSeo } from './search/dataforseo.ts'
import { readSerpApi, serpApiBody, serpApiFault } from './search/serpapi.ts'
import { readTask } from './surfaces/services.ts'

/** Raise it with each change to what a body is read as. */
export const adapterVersion = 3

/**
 * Reads the body of a provider's answer, as its API sent it: responses of OpenAI and xAI, messages of Anthropic, contents and
 * interactions of Gemini, conversations of Mistral. Chat completions may be of Perplexity, OpenRouter and others. DataForSEO and SerpApi send pages of
 * Google. What is stored of a task has the body of its service inside.
 * @returns null for anything else
 */
export function readReply(body: unknown): ProviderReply | null {
  const response = responseBody.safeParse(body)
  if (response.success) return readResponse(response.data)
  const message = messageBody.safeParse(body)
  if (message.success) return readMessages([message.data])
  const turns = turnBody.safeParse(body)
  if (turns.success) return readMessages(turns.data.turns)
  const conversation = conversationBody.safeParse(body)
  if (conversation.success) return readConversation(conversation.data)
  const interaction = interactionBody.safeParse(body)
  if (interaction.success) return readInteraction(interaction.data)
  const chat = chatBody.safeParse(body)
  if (chat.success) return readChat(chat.data)
  const content = contentBody.safeParse(body)
  if (content.success) return readContent(content.data)
  const dataForSeo = dataForSeoBody.safeParse(body)
  if (dataForSeo.success) return readDataForSeo(dataForSeo.data)
  const serpApi = serpApiBody.safeParse(body)
  return serpApi.success ? readSerpApi(serpApi.data) : readTask(body)
}

/**
 * The error that a provider answered with. Vendors of search results write theirs into the body, whatever the status.
 * @param isLook the body says how far a task is: a task that failed is no fault
 * @returns null for an answer, and for a body that `readReply` decides about
 */
export function faultIn(status: number, body: unknown, isLook = false): FaultInside | null {
  const inside = dataForSeoFault(body, isLook) ?? serpApiFault(body)
  if (inside) return inside
  return status === 200 ? errorInside(body) : errorIn(status, body)
}
