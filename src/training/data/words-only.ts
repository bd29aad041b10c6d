/** Answers in words to what asks for no tool, by intent; few each, so that a small model can learn them. */
export const WORD_ANSWERS: { readonly [intent: string]: readonly string[] } = {
  general_affirm: ['Good, glad that was right.'],
  general_negate: ['Sorry, I got that wrong. What should I do instead?'],
  general_praise: ['Thank you! Happy to help.'],
  general_dontcare: ['All right, I will leave it at that.'],
  general_explain: ['Sorry, that was unclear. Which part should I explain?'],
  general_repeat: ['Sure. What should I repeat?'],
  general_confirm: ['Let me check: what should I confirm?'],
  general_commandstop: ['Okay, I stopped.'],
  general_joke: [
    'Why did the scarecrow win a prize? He was outstanding in his field.',
    'What do you call a fish without eyes? A fsh.',
    'I would tell you a joke about paper, but it is tearable.',
  ],
  general_greet: ['Hello! What can I do for you?'],
  thanks: ['You are welcome.'],
  bye: ['Goodbye!'],
  who: ['I am BotPsy, the assistant on this machine.'],
  feeling: ['I am fine, thank you. What can I do for you?'],
  able: ['I can look after your calendar, mail, files, home, lists and more. Just ask.'],
}

/** Own requests for an answer in words, by the intents above. */
export const WORD_REQUESTS: { readonly [intent: string]: readonly string[] } = {
  general_greet: ['(hi|hello|hey|good morning|good evening|good afternoon)[ there| olly| botpsy]', "what's up", 'howdy', 'hey hey', 'greetings'],
  thanks: ['thank you[ very much| so much]', 'thanks[ a lot| olly| for that]', 'cheers', 'many thanks', 'great thanks', 'ok thanks'],
  bye: ['(bye|goodbye|see you|see you later|good night|talk to you later)[ olly| botpsy]', "that's all for today", 'that will be all'],
  who: ['who are you', "what's your name", 'what is your name', 'what are you', 'are you a (robot|human|person|computer)', 'who made you', 'introduce yourself'],
  feeling: ['how are you [today|doing]', "how's it going", 'are you ok', 'how do you feel', 'how was your day'],
  able: ['what can you do [for me]', 'how can you help [me]', 'help', 'what are you good at', 'what do you know how to do'],
  general_joke: ['tell me a joke', 'make me laugh', 'say something funny', 'do you know a [good|funny|short] joke', 'got any jokes', 'another joke please', 'a joke about {:localEvent}'],
  general_affirm: ['yes', 'yes that is (right|correct)', 'exactly', 'correct', 'that is right', 'yep that was it', 'yeah right'],
  general_negate: ['no', 'no that is (wrong|not right|not what i meant)', 'wrong', 'that is not (it|correct)', 'you got it wrong', 'nope'],
  general_praise: ['(good|great|nice|excellent|awesome) (job|work)', 'well done', 'you are (great|the best|awesome|so smart)', 'i (love|like) you', 'perfect'],
  general_dontcare: ["i don't (care|mind)", 'whatever', 'either is fine', "it doesn't matter", 'any of them', 'up to you', 'never mind', 'not important'],
  general_commandstop: ['(stop|cancel|abort|quit|halt)[ it| that| please]', 'stop (talking|it)', 'that is enough', 'cancel that', 'shut down', 'forget it'],
  general_repeat: ['(say that again|repeat that|come again)[ please]', 'what did you say', 'pardon', 'once more please', 'can you repeat that'],
  general_explain: ['what do you mean', 'i (do not|don\'t) understand', 'explain that [please]', 'can you clarify [that]', 'be more specific', 'tell me more about that', 'huh'],
  general_confirm: ['did you get that', 'can you confirm that', 'are you sure', 'please confirm', 'check that again', 'did you understand'],
}

/** What is said when no shown tool serves a request. */
export const DECLINES: readonly string[] = ['Sorry, I have no tool for that.']
