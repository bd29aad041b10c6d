import type { ReturnFormat } from './decode-formats.js'

// Fixed texts of the benchmark's prompts, word for word, since a score depends on them. Source: bfcl_eval/constants/
// default_prompts.py of ShishirPatil/gorilla at 6ea57973c7a6097fd7c5915698c54c17c5b1b6c8, Apache-2.0.

/** How calls are to be written. */
export const OUTPUT_FORMATS: { readonly [format in ReturnFormat]: string } = {
  python: '[func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)]',
  json: '```json\n[{"function":"func_name1","parameters":{"param1":"value1","param2":"value2"...}},{"function":"func_name2","parameters":{"param":"value"}}]\n```',
  verbose_xml:
    '<functions><function name="func_name1"><params><param name="param1" value="value1" type="type1"/><param name="param2" value="value2" type="type2"/>...</params></function><function name="func_name2"><params><param name="param3" value="value3" type="type3"/></params></function></functions>',
  concise_xml:
    '<functions><function name="func_name1"><param name="param1" type="type1">value1</param><param name="param2" type="type2">value2</param>...</function><function name="func_name2"><param name="param3" type="type3">value</param></function></functions>',
}

const XML_TYPES =
  'The type fields of the parameters in your function calls must be one of: string, integer, float, boolean, array, dict, or tuple.'

/** What is said of parameter types. */
export const PARAMETER_TYPES: { readonly [format in ReturnFormat]: string } = {
  python: '',
  json: '',
  verbose_xml: XML_TYPES,
  concise_xml: XML_TYPES,
}

/** Parts of a system prompt; `{…}` are filled in. */
export interface PromptStyle {
  readonly persona: string
  readonly task: string
  readonly plain: string
  readonly tagged: string
  readonly turns: string
  readonly tools: string
}

/** The two wordings. */
export const PROMPT_STYLES: { readonly [style in 'classic' | 'experimental']: PromptStyle } = {
  classic: {
    persona: 'You are an expert in composing functions.',
    task: 'You are given a question and a set of possible functions. Based on the question, you will need to make one or more function/tool calls to achieve the purpose. If none of the functions can be used, point it out. If the given question lacks the parameters required by the function, also point it out.',
    plain:
      'You should only return the function calls in your response.\n\nIf you decide to invoke any of the function(s), you MUST put it in the format of {output_format}. {param_types} You SHOULD NOT include any other text in the response.',
    tagged:
      'You should only return the function calls in the <TOOLCALL> section. If you decide to invoke any of the function(s), you MUST put it in the format of <TOOLCALL>{output_format}</TOOLCALL>. {param_types} You SHOULD NOT include any other text in the response.',
    turns:
      "At each turn, you should try your best to complete the tasks requested by the user within the current turn. Continue to output functions to call until you have fulfilled the user's request to the best of your ability. Once you have no more functions to call, the system will consider the current turn complete and proceed to the next turn or task.",
    tools: 'Here is a list of functions in {format} format that you can invoke.\n{functions}\n',
  },
  experimental: {
    persona: 'You are an expert in generating structured function calls.',
    task: "You are given a user query and a set of available functions. Your task is to produce one or more function/tool calls to fulfill the user's request. If no suitable function exists, or required parameters are missing, clearly indicate this.",
    plain:
      'Respond with only the function calls.\n\nYou MUST format it exactly as {output_format}. {param_types} Do NOT include any other text.',
    tagged:
      'Return only the function calls enclosed in <TOOLCALL> tags.\n\nYou MUST format it exactly as <TOOLCALL>{output_format}</TOOLCALL>. {param_types} Do NOT include any other text.',
    turns:
      "At every turn, aim to complete the user's tasks within that turn. Continue emitting function calls until the request is satisfied to the best of your ability. Once no more calls are needed, the system will proceed to the next turn.",
    tools: 'Below is a list of callable functions in the {format} style:\n{functions}\n',
  },
}

/** How the parts are put together. */
export const PROMPT_TEMPLATES = {
  plaintext: '{persona}{task}\n\n{tool_call_format}\n\n{multiturn_behavior}\n\n{available_tools}',
  markdown:
    '{persona}\n\n## Task\n{task}\n\n## Tool Call Format\n{tool_call_format}\n\n## Multi-turn Behavior\n{multiturn_behavior}\n\n## Available Tools\n{available_tools}',
} as const
