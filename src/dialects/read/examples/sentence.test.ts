import { expect, it } from 'vitest'
import { maySay } from './sentence.ts'

it.each([
  'Calling now: ',
  'I now use the function: ',
  'That is not all. Now: ',
  'Ich rufe nun die Suche auf: ',
  'Das ist kein Problem. Jetzt: ',
  'J’appelle la recherche : ',
  'Ce n’est rien. Voici : ',
  'Llamo a la búsqueda: ',
  '现在调用搜索：',
  '検索します：',
])('%j may say what is called', (line) => {
  expect(maySay(line)).toBe(true)
})

it.each([
  'For example ',
  'An object (e.g. ',
  'I don’t call ',
  'The result of ',
  'You could use the function: ',
  'Das Ergebnis von ',
  'Vous pourriez appeler ',
  'El resultado de ',
  'Zum Beispiel: ',
  'Ein Aufruf sieht so aus: ',
  'Schreiben Sie nicht ',
  'Par exemple : ',
  'N’écrivez jamais ',
  'Il ne faut pas écrire ',
  'Un appel ressemble à ceci : ',
  'Por ejemplo: ',
  'En lugar de llamar ',
  '例如：',
  '请不要写 ',
  '例えば、',
])('%j does not', (line) => {
  expect(maySay(line)).toBe(false)
})
