import { z } from 'zod'

/** Settings of a connected Home Assistant; the token is the connection's secret. */
export const homeAssistantSettings = z.object({
  /** Its address as it is opened in a browser, e.g. `http://homeassistant.local:8123`. */
  url: z
    .string()
    .trim()
    .transform((text) => (/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`))
    .refine(
      (text) => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text),
      'Give its address, such as http://homeassistant.local:8123.',
    )
    .refine((text) => {
      const { username, password } = new URL(text)
      return username === '' && password === ''
    }, 'Leave user and password out of the address; the token signs in.'),
})
