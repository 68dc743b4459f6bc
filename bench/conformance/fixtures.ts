import { createHmac } from 'node:crypto'
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ContentBlock,
  completable,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What the official conformance suite asks a server for: tools, texts and questions of the names that it knows. */

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='

type Replied = CallToolResult | InputRequiredResult
type Later<Value> = Value | Promise<Value>

const text = (said: string) => ({ type: 'text' as const, text: said })
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' }
const said = (words: string) => ({ content: [text(words)] })
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})

const codec = createRequestStateCodec<string>({
  key: createHmac('sha256', 'conformance').digest(),
  ttlSeconds: 60,
})

const ask = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: name === 'ok' ? { type: 'boolean' } : { type: 'string' } },
      required: [name],
    },
  })

const sample = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: text(words) }],
    maxTokens: 100,
  })

/** The state that came back, which the server has verified. */
const stateOf = ({ mcpReq }: ServerContext) => mcpReq.requestState<string>()

const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext) =>
  ((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ??
    {}) as Record<string, object>

function addContents(server: McpServer): void {
  const simple: Readonly<Record<string, ContentBlock[]>> = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
    test_logging_tool: [text('Nothing was logged.')],
    test_streaming_elicitation: [text('Nothing was asked.')],
  }
  for (const [name, content] of Object.entries(simple)) {
    server.registerTool(name, { description: name }, () => ({ content }))
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_progress', { description: 'Progress.' }, async (context) => {
    const { _meta, notify } = context.mcpReq
    const progressToken = _meta?.progressToken
    if (progressToken === undefined) return said('Done.')
    for (const progress of [0, 50, 100]) {
      await notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
    }
    return said('Done.')
  })
}

function addQuestions(server: McpServer): void {
  const add = (name: string, run: (context: ServerContext) => Later<Replied>) =>
    server.registerTool(name, { description: name }, run)
  const answerOf = (context: ServerContext, name: string) =>
    inputResponse(context.mcpReq.inputResponses, name)

  add('test_input_required_result_elicitation', (context) => {
    const name = acceptedContent<{ name: string }>(context.mcpReq.inputResponses, 'user_name')
    if (typeof name?.name === 'string') return said(`Hello, ${name.name}!`)
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
  })
  add('test_input_required_result_sampling', (context) => {
    const answer = answerOf(context, 'capital_question')
    if (answer.kind !== 'missing') return said(JSON.stringify(answer))
    return inputRequired({
      inputRequests: { capital_question: sample('What is the capital of France?') },
    })
  })
  // Its client has not said that it samples.
  add('test_missing_capability', () =>
    inputRequired({ inputRequests: { sampled: sample('Say a word.') } }),
  )
  add('test_input_required_result_list_roots', (context) => {
    const answer = answerOf(context, 'client_roots')
    if (answer.kind !== 'missing') return said(JSON.stringify(answer))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  for (const name of ['request_state', 'tampered_state']) {
    add(`test_input_required_result_${name}`, async (context) => {
      if (stateOf(context) === 'asked') return said('state-ok')
      return inputRequired({
        inputRequests: { confirm: ask('Please confirm', 'ok') },
        requestState: await codec.mint('asked', context),
      })
    })
  }
  add('test_input_required_result_multiple_inputs', async (context) => {
    const names = ['user_name', 'greeting', 'client_roots']
    const isWhole = names.every((name) => answerOf(context, name).kind !== 'missing')
    if (isWhole && stateOf(context) === 'asked') return said('All three came.')
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint('asked', context),
    })
  })
  add('test_input_required_result_multi_round', async (context) => {
    const state = stateOf(context)
    if (state === 'second') return said('Three rounds.')
    const [step, question, name, next] =
      state === 'first'
        ? (['step2', 'Step 2: What is your favorite color?', 'color', 'second'] as const)
        : (['step1', 'Step 1: What is your name?', 'name', 'first'] as const)
    return inputRequired({
      inputRequests: { [step]: ask(question, name) },
      requestState: await codec.mint(next, context),
    })
  })
  add('test_input_required_result_capabilities', (context) => {
    const { sampling, elicitation } = capabilitiesOf(context)
    return inputRequired({
      inputRequests: {
        ...(sampling && { sampled: sample('Say a word.') }),
        ...(elicitation && { asked: ask('What is your name?', 'name') }),
      },
    })
  })
}

function addTexts(server: McpServer): void {
  const add = (uri: string, mimeType: string, body: { text: string } | { blob: string }) =>
    server.registerResource(uri, uri, { mimeType }, () => ({
      contents: [{ uri, mimeType, ...body }],
    }))
  add('test://static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  })
  add('test://static-binary', 'image/png', { blob: pixel })
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true }),
        },
      ],
    }),
  )
}

function addPrompts(server: McpServer): void {
  const user = (content: ContentBlock) => ({ role: 'user' as const, content })
  server.registerPrompt('test_simple_prompt', { description: 'A prompt.' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string(), () => ['test']),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arg1='${arg1}', arg2='${arg2}'`))] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt with a resource.',
      argsSchema: z.object({ resourceUri: z.string() }),
    },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_image',
    { description: 'A prompt with an image.' },
    () => ({
      messages: [user(image), user(text('Please analyze the image above.'))],
    }),
  )
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks.' },
    (context: ServerContext) => {
      const { inputResponses } = context.mcpReq
      const answer = acceptedContent<{ context: string }>(inputResponses, 'user_context')
      if (answer) return { messages: [user(text(`Context: ${answer.context}`))] }
      const question = ask('What context should the prompt use?', 'context')
      return inputRequired({ inputRequests: { user_context: question } })
    },
  )
}

/** A server of what the suite asks for. */
export function fixtures(): McpServer {
  const server = new McpServer(
    { name: 'fixtures', version: '1.0.0' },
    {
      requestState: { verify: codec.verify },
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
        completions: {},
      },
    },
  )
  addContents(server)
  addQuestions(server)
  addTexts(server)
  addPrompts(server)
  return server
}
