/** Small chat templates for tests, in our own words, with the habits of public families. */

/** The structure of Qwen3.5's: strips the think block of earlier turns, refuses late system messages and a silent user. */
export const strippingTemplate = `{%- if tools %}
{{- '<|im_start|>system\\n# Tools\\n\\n<tools>' }}
{%- for tool in tools %}
{{- '\\n' + (tool | tojson) }}
{%- endfor %}
{{- '\\n</tools>\\n\\nCalls: <tool_call> <function=NAME>' }}
{%- if messages[0].role == 'system' and messages[0].content | trim %}
{{- '\\n\\n' + messages[0].content | trim }}
{%- endif %}
{{- '<|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}
{{- '<|im_start|>system\\n' + messages[0].content | trim + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(seeking=true, last=messages | length - 1) %}
{%- for message in messages[::-1] %}
{%- if ns.seeking and message.role == 'user' %}
{%- set text = message.content | trim %}
{%- if not (text.startswith('<tool_response>') and text.endswith('</tool_response>')) %}
{%- set ns.seeking = false %}
{%- set ns.last = messages | length - 1 - loop.index0 %}
{%- endif %}
{%- endif %}
{%- endfor %}
{%- if ns.seeking %}
{{- raise_exception('the user said nothing') }}
{%- endif %}
{%- for message in messages %}
{%- set content = message.content | trim %}
{%- if message.role == 'system' %}
{%- if not loop.first %}
{{- raise_exception('late system message') }}
{%- endif %}
{%- elif message.role == 'user' %}
{{- '<|im_start|>user\\n' + content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}
{%- set reasoning = '' %}
{%- if message.reasoning_content is string %}
{%- set reasoning = message.reasoning_content %}
{%- elif '</think>' in content %}
{%- set reasoning = content.split('</think>')[0] %}
{%- set content = content.split('</think>')[-1] %}
{%- endif %}
{{- '<|im_start|>assistant\\n' }}
{%- if loop.index0 > ns.last %}
{{- '<think>\\n' + reasoning | trim + '\\n</think>\\n\\n' }}
{%- endif %}
{{- content }}
{%- if message.tool_calls %}
{%- for tool_call in message.tool_calls %}
{%- set call = tool_call.function %}
{%- if loop.first and content | trim %}
{{- '\\n\\n' }}
{%- elif not loop.first %}
{{- '\\n' }}
{%- endif %}
{{- '<tool_call>\\n<function=' + call.name + '>\\n' }}
{%- for key, value in call.arguments | items %}
{{- '<parameter=' + key + '>\\n' }}
{%- set value = value | tojson | safe if value is mapping or (value is sequence and value is not string) else value | string %}
{{- value + '\\n</parameter>\\n' }}
{%- endfor %}
{{- '</function>\\n</tool_call>' }}
{%- endfor %}
{%- endif %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{%- if loop.previtem and loop.previtem.role != 'tool' %}
{{- '<|im_start|>user' }}
{%- endif %}
{{- '\\n<tool_response>\\n' + content + '\\n</tool_response>' }}
{%- if loop.last or loop.nextitem.role != 'tool' %}
{{- '<|im_end|>\\n' }}
{%- endif %}
{%- else %}
{{- raise_exception('unknown role') }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and enable_thinking is true %}
{{- '<think>\\n' }}
{%- else %}
{{- '<think>\\n\\n</think>\\n\\n' }}
{%- endif %}
{%- endif %}
`

/** Hermes JSON calls, no think block in the prompt, content printed as it is. */
export const hermesTemplate = `{%- if tools %}
{{- '<|im_start|>system\\n' }}
{%- if messages[0].role == 'system' %}
{{- messages[0].content + '\\n\\n' }}
{%- endif %}
{{- '# Tools\\n<tools>' }}
{%- for tool in tools %}
{{- '\\n' }}{{ tool | tojson }}
{%- endfor %}
{{- '\\n</tools>\\nAnswer with <tool_call>\\n{"name": NAME, "arguments": {}}\\n</tool_call><|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}
{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
{%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}
{{- '<|im_start|>assistant' }}
{%- if message.content %}
{{- '\\n' + message.content }}
{%- endif %}
{%- for call in message.tool_calls %}
{{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}
{{- call.function.arguments | tojson }}
{{- '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- endif %}
`

/** Plain ChatML without tools, with a greeting of its own where no system message is given. */
export const chatmlTemplate =
  "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nBe kind.<|im_end|>\\n' }}{% endif %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
