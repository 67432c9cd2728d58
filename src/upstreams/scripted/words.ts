/** English endings, the longest first. */
const endings = ['ements', 'ement', 'ations', 'ation', 'ions', 'ion', 'ing', 'ies', 'ed', 'es', 's', 'e', 'y']

/** Words that say nothing about which tool is meant. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a about above after all also am an and any are as at be before below both but by call called calling can could did ' +
    'do does down each every few first for from function functions get gets getting give given had has have help her here his how i if in into is ' +
    'it its just know last let like me more most must my need next no not now of off on once one only or other our out ' +
    'over own per please same second see several she should so some such tell than that the their them then there these ' +
    'they this those through to tool tools too two up us use used uses using very want was way we well were what when where ' +
    'which while who why will with would you your'
  ).split(' '),
)

/** Words that many tools have in their name, and many requests that need no tool: alone they decide nothing. */
const commonWords: ReadonlySet<string> = new Set(
  (
    'add agent answer ask check code content create data delete edit end exit enter file find fetch list make message mode ' +
    'name open output plan question read remove result run search send set show skill start stop task team test text ' +
    'todo update user web work write'
  )
    .split(' ')
    .map(stem),
)

const words = /[\p{Script=Latin}\p{N}]+|\p{Script=Han}+|[\p{L}\p{M}]+/gu

/** The parts of a name in any case style: `getWeather`, `get_weather` and `get-weather` are `get`, `weather`. */
export function nameParts(name: string): string[] {
  return lowerWords(name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2'))
}

/** The stems of the words that carry meaning. Han text has no spaces, so its pairs of characters count as words. */
export function contentWords(text: string): Set<string> {
  const found = new Set<string>()
  for (const word of lowerWords(text)) {
    if (/^\p{Script=Han}/u.test(word)) {
      for (let at = 0; at + 1 < word.length; at++) found.add(word.slice(at, at + 2))
    } else if (word.length > 1 && !stopWords.has(word)) found.add(stem(word))
  }
  return found
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word.toLowerCase())
}

export function isCommonStem(wordStem: string): boolean {
  return commonWords.has(wordStem)
}

function lowerWords(text: string): string[] {
  return text.toLowerCase().match(words) ?? []
}

/** A word without the endings that English bends it with; crude, but the same on both sides of a comparison. */
function stem(word: string): string {
  for (const ending of endings) {
    if (word.endsWith(ending) && word.length - ending.length >= 3) return word.slice(0, -ending.length)
  }
  return word
}
