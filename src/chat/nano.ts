/**
 * The embedded model's chat template, the same text as templates/botpsy-nano.jinja (a test compares them): the room does
 * no I/O, and the file is what other programs read.
 */
export const nanoTemplateSource = `{#- The text format of botpsy-nano: the structure of the Qwen3.5 format, kept short, with a closed think block in every assistant turn. -#}
{%- macro think(reasoning) %}
{{- '<think>\\n' + reasoning + '\\n</think>\\n\\n' }}
{%- endmacro %}
{%- set system = messages[0].content | trim if messages and messages[0].role == 'system' else '' %}
{%- if tools %}
{{- '<|im_start|>system\\n# Tools\\nCall a tool when one fits.\\n<tools>\\n' }}
{%- for tool in tools %}
{{- (tool.function if tool.function is defined else tool) | tojson + '\\n' }}
{%- endfor %}
{{- '</tools>\\n<IMPORTANT>\\nText first, calls last; ask for what is missing.\\n</IMPORTANT>' }}
{{- '\\n\\n' + system if system else '' }}
{{- '<|im_end|>\\n' }}
{%- elif system %}
{{- '<|im_start|>system\\n' + system + '<|im_end|>\\n' }}
{%- endif %}
{%- set last = namespace(question=-1) %}
{%- for message in messages %}
{%- if message.role == 'user' %}
{%- set said = message.content | trim %}
{%- if not (said.startswith('<tool_response>') and said.endswith('</tool_response>')) %}
{%- set last.question = loop.index0 %}
{%- endif %}
{%- endif %}
{%- endfor %}
{%- for message in messages %}
{%- set content = message.content | trim %}
{%- if message.role == 'user' %}
{{- '<|im_start|>user\\n' + content + '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{%- if loop.first or loop.previtem.role != 'tool' %}
{{- '<|im_start|>user' }}
{%- endif %}
{{- '\\n<tool_response>\\n' + content + '\\n</tool_response>' }}
{%- if loop.last or loop.nextitem.role != 'tool' %}
{{- '<|im_end|>\\n' }}
{%- endif %}
{%- elif message.role == 'assistant' %}
{{- '<|im_start|>assistant\\n' }}
{{- think(message.reasoning_content | trim if loop.index0 > last.question and message.reasoning_content is string else '') }}
{{- content }}
{%- for call in message.tool_calls or [] %}
{%- set call = call.function if call.function is defined else call %}
{{- '\\n' if not loop.first else ('\\n\\n' if content else '') }}
{{- '<tool_call>\\n<function=' + call.name + '>\\n' }}
{%- for key, value in call.arguments | items %}
{{- '<parameter=' + key + '>\\n' }}
{{- value | tojson if value is mapping or (value is iterable and value is not string) else value | string }}
{{- '\\n</parameter>\\n' }}
{%- endfor %}
{{- '</function>\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{{- '<think>\\n' if enable_thinking is defined and enable_thinking else think('') }}
{%- endif %}
`
