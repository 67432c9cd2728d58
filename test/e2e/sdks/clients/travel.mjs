// @ts-check
// The parts that the SDKs' programs share: two tools and the shape of a structured reply.

export const question = 'How is the weather in Paris and Tokyo, and what time is it in Rome?'
export const structuredQuestion = 'Who is there?'

/** The tools' names and descriptions. Each takes a city. */
export const toolTexts = /** @type {const} */ ([
  ['get_weather', 'Tells the weather of a city.'],
  ['get_time', 'Tells the time in a city.'],
])

/** JSON schemas, for SDKs that take no others. */
export const citySchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const personSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'age', 'tags'],
  additionalProperties: false,
}

/**
 * The same with a library's own `zod`.
 * @param {any} z
 */
export function zodShapes(z) {
  return {
    City: z.object({ city: z.string() }),
    Person: z.object({ name: z.string(), age: z.number().int(), tags: z.array(z.string()) }),
  }
}
