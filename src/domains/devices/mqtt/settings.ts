import { z } from 'zod'

/** Settings of a connected MQTT broker; the password is the connection's secret. */
export const mqttSettings = z.object({
  /** `mqtt://host:1883`, `mqtts://host:8883`, `ws://…`, `wss://…`; a bare host is `mqtt`. */
  url: z
    .string()
    .trim()
    .transform((text) => (/^[a-z]+:\/\//i.test(text) ? text : `mqtt://${text}`))
    .refine(
      (text) => /^(?:mqtts?|wss?):\/\/[^/]/i.test(text) && URL.canParse(text),
      'Give the address of the broker, such as mqtt://192.168.1.10:1883.',
    )
    .refine((text) => {
      const { username, password } = new URL(text)
      return username === '' && password === ''
    }, 'Leave user and password out of the address; they are asked for by themselves.'),
  user: z
    .string()
    .trim()
    .optional()
    .transform((text) => (text === '' ? undefined : text)),
  /** First part of the topics on which devices announce themselves. */
  prefix: z
    .string()
    .trim()
    .optional()
    .transform((text) => (text === undefined || text === '' ? 'homeassistant' : text.replace(/^\/+|\/+$/g, '')))
    .refine((text) => text !== '' && !/[+#\0]/.test(text), 'The prefix may not hold + or #.'),
})
