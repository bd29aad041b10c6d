import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nanoTemplateSource } from './nano.js'
import { render } from './render.js'
import { ChatTemplate } from './template.js'

test('the constant is the file', () => {
  expect(nanoTemplateSource).toBe(readFileSync(new URL('./templates/botpsy-nano.jinja', import.meta.url), 'utf8'))
})

test('renders tools, calls, results and the generation prompt', () => {
  const template = new ChatTemplate(nanoTemplateSource)
  const { text, thinkState } = render(template, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Lights on, please.' },
      {
        role: 'assistant',
        content: 'Sure.',
        toolCalls: [
          {
            id: '1',
            name: 'set_light',
            arguments: { name: 'Otto', on: true, level: 0.00001, mood: null, at: [1, 'é'] },
          },
          { id: '2', name: 'list_lights', arguments: {} },
        ],
      },
      { role: 'tool', callId: '1', name: 'set_light', content: 'Otto is on.' },
      { role: 'tool', callId: '2', name: 'list_lights', content: 'Otto' },
    ],
    tools: [{ name: 'list_lights', description: 'List lights.', parameters: { type: 'object', properties: {} } }],
    systemSuffix: 'Now: Monday',
  })
  expect(thinkState).toBe('closed')
  expect(text).toBe(`<|im_start|>system
# Tools
Call a tool when one fits.
<tools>
{"name": "list_lights", "description": "List lights.", "parameters": {"type": "object", "properties": {}}}
</tools>
<IMPORTANT>
Text first, calls last; ask for what is missing.
</IMPORTANT>

Be brief.

Now: Monday<|im_end|>
<|im_start|>user
Lights on, please.<|im_end|>
<|im_start|>assistant
<think>

</think>

Sure.

<tool_call>
<function=set_light>
<parameter=name>
Otto
</parameter>
<parameter=on>
True
</parameter>
<parameter=level>
1e-05
</parameter>
<parameter=mood>
None
</parameter>
<parameter=at>
[1, "é"]
</parameter>
</function>
</tool_call>
<tool_call>
<function=list_lights>
</function>
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
Otto is on.
</tool_response>
<tool_response>
Otto
</tool_response><|im_end|>
<|im_start|>assistant
<think>

</think>

`)
})
