import { describe, expect, it } from 'vitest'
import { detectLanguage, detectLanguages } from './language.js'
import { PythonRandom } from './mersenne-twister.js'

describe('PythonRandom', () => {
  // From CPython 3.11: r = random.Random(0); r.random(), r.gauss(0, 1), r.choice(range(1000)), r.choice(range(7)) …
  it('draws what random.Random(0) draws', () => {
    const random = new PythonRandom(0)
    expect(random.random()).toBe(0.8444218515250481)
    expect(random.gauss()).toBeCloseTo(0.05219198828260849, 14)
    expect(random.below(1000)).toBe(265)
    expect(random.below(7)).toBe(4)
    expect(random.gauss()).toBeCloseTo(-1.0434089742005737, 14)
  })

  it('takes the seed into account', () => {
    const random = new PythonRandom(12345)
    expect(random.random()).toBe(0.41661987254534116)
    expect(random.choice(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'])).toBe('A')
  })
})

describe('detectLanguage', () => {
  it.each([
    ['en', 'Please remind me to water the plants tomorrow morning.'],
    ['de', 'Bitte erinnere mich morgen früh daran, die Blumen zu gießen.'],
    ['ko', '내일 아침에 물을 주라고 알려 주세요.'],
    ['ja', '明日の朝、植物に水をやるように言ってください。'],
    ['zh-cn', '明天早上请提醒我给植物浇水，这些植物很重要。'],
    ['vi', 'Sáng mai hãy nhắc tôi tưới cây trong vườn nhé.'],
    ['hi', 'कृपया मुझे कल सुबह पौधों को पानी देने की याद दिलाएं।'],
    ['ru', 'Напомни мне завтра утром полить цветы (watering).'],
  ])('knows %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language)
  })

  it('finds nothing in a text without letters', () => {
    expect(detectLanguage('12 + 3 = 15!')).toBeUndefined()
    expect(detectLanguage('')).toBeUndefined()
  })

  it('leaves out addresses, and what follows the first of several capitals', () => {
    expect(detectLanguage('https://the.and.of/with/this?that=there')).toBeUndefined()
    expect(detectLanguages('TXX')).toEqual(detectLanguages('TYY'))
  })

  it('gives probabilities that sum to one at most, the highest first', () => {
    const guesses = detectLanguages('no hablo') ?? []
    expect(guesses.length).toBeGreaterThan(0)
    expect(guesses.reduce((sum, guess) => sum + guess.probability, 0)).toBeLessThanOrEqual(1 + 1e-9)
    expect(guesses.map((guess) => guess.probability)).toEqual(
      guesses.map((guess) => guess.probability).sort((a, b) => b - a),
    )
  })

  it('repeats itself', () => {
    expect(detectLanguages('la casa', 3)).toEqual(detectLanguages('la casa', 3))
  })
})
