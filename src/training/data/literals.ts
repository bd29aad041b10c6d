import { ChatTemplate, nanoTemplateSource, render } from '../../chat/index.js'

/** Control tokens of the embedded model. */
export const NANO_CONTROLS: readonly string[] = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']

/**
 * Texts that are one token each, chosen so that a tool costs about 20 tokens of prompt and a call about 10 beside its
 * values. Rules: a literal may contain another one but never overlap it in text that the template renders (leftmost-longest
 * and longest-first cutting then agree, so the tokenizers library and llama.cpp do); and in what the model writes every
 * choice begins at a token of its own, so that forced text is cut as in training (`<parameter=` or the end of the call
 * follows `\n</parameter>\n`).
 */
export function nanoLiterals(): string[] {
  const template = new ChatTemplate(nanoTemplateSource)
  const tool = { name: 'NAME', description: 'TEXT', parameters: { type: 'object', properties: {} } }
  const { text } = render(template, {
    messages: [{ role: 'user', content: 'ASK' }],
    tools: [tool],
    addGenerationPrompt: false,
  })
  const head = text.slice(text.indexOf('system\n'), text.indexOf('{"name"'))
  const tail = text.slice(text.indexOf('</tools>'), text.indexOf('<|im_end|>'))
  return [
    head,
    tail,
    'user\n',
    'assistant\n<think>\n\n</think>\n\n',
    '<think>',
    '</think>',
    '<tool_call>',
    '</tool_call>',
    '<tool_response>\n',
    '\n</tool_response>',
    '\n<function=',
    '<parameter=',
    '\n</parameter>\n',
    '</function>\n</tool_call>',
    '{"name": "',
    '", "description": "',
    '", "parameters": {"type": "object", "properties": {"',
    '", "parameters": {"type": "object", "properties": {}}}\n',
    '": {"type": "string"}, "',
    '": {"type": "string"}}}}\n',
    '": {"type": "string"}}, "required": ["',
    '": {"type": "integer"}, "',
    '": {"type": "integer"}}}}\n',
    '": {"type": "integer"}}, "required": ["',
    '": {"type": "number"}, "',
    '": {"type": "number"}}}}\n',
    '": {"type": "number"}}, "required": ["',
    '": {"type": "boolean"}, "',
    '": {"type": "string", "enum": ["',
    '"]}, "',
    '"]}}}}\n',
    '"]}}\n',
    '", "',
  ]
}
