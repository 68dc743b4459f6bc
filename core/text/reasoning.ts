/**
 * What a model writes to itself before it answers. Servers without a field for it leave it in the text, between tags. A
 * tag counts at the beginning of a line and outside of code, because answers may be about such tags.
 * @see https://docs.vllm.ai/en/latest/features/reasoning_outputs/
 */
const opening = /<(?:think|thinking|thought|seed:think)>|\[THINK\]/
const mark = /^[ \t]*(?:(`{3,}|~{3,})|(<(?:think|thinking|thought|seed:think)>|\[THINK\]))/gm
const closing = /^[ \t]*(?:<\/(?:think|thinking|thought|seed:think)>|\[\/THINK\])[ \t]*$/m
const mayHave = /<\/?(?:think|thought|seed:think)|\[\/?THINK\]/

/** `<think>` is closed by `</think>`. */
const closingOf = (tag: string) => `${tag.slice(0, 1)}/${tag.slice(1)}`

/** The end of reasoning whose opening tag is part of the prompt, as some chat templates have it; 0 without one. */
function endOfUnopened(text: string): number {
  const found = closing.exec(text)
  if (found === null) return 0
  const before = text.slice(0, found.index)
  const isInCode = before.split('```').length % 2 === 0
  return isInCode || opening.test(before) ? 0 : found.index + found[0].length
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Where a text has reasoning, in order. Time is linear in its length. */
function reasoningIn(text: string): Span[] {
  let at = endOfUnopened(text)
  const spans: Span[] = at === 0 ? [] : [{ start: 0, end: at }]
  for (let hasBegun = false; ; ) {
    mark.lastIndex = at
    const found = mark.exec(text)
    if (found === null) return spans
    const { 0: whole, 1: fence, 2: tag = '', index } = found
    hasBegun ||= fence !== undefined || text.slice(at, index).trim() !== ''
    const close = fence ?? closingOf(tag)
    const last = text.indexOf(close, index + whole.length)
    // Reasoning that does not end was cut off before the answer. Within an answer, such a tag opens nothing.
    if (last === -1 && hasBegun) return spans
    at = last === -1 ? text.length : last + close.length
    if (fence === undefined) spans.push({ start: index, end: at })
  }
}

/** @param by what stands in place of the reasoning */
function replaced(text: string, by: (reasoning: string) => string): string {
  if (!mayHave.test(text)) return text
  let [left, at] = ['', 0]
  for (const { start, end } of reasoningIn(text)) {
    left += text.slice(at, start) + by(text.slice(start, end))
    at = end
  }
  return left + text.slice(at)
}

/** The text without the reasoning of its model. */
export function withoutReasoning(text: string): string {
  const left = replaced(text, () => '')
  return left === text ? text : left.trim()
}

/** The text with a mask over each character of its reasoning. */
export const maskedReasoning = (text: string, mask: string): string =>
  replaced(text, (reasoning) => mask.repeat(reasoning.length))
