import type { JsonObject } from '../../../conversation/index.ts'
import { readArray, readObject, readOptionalString, readString } from '../../fields.ts'

/**
 * Returns the text that tells a model about the skills of a shell that the client runs: directories with instructions, of which a request gives
 * name, description and path. Empty if there are none. Throws an AnycallError `invalid-request`.
 */
export function skillsText(environment: JsonObject, path: string): string {
  const { skills } = environment
  if (skills === undefined || skills === null) return ''
  const lines = readArray(skills, `${path}.skills`).map((value, index) => {
    const place = `${path}.skills[${index}]`
    const skill = readObject(value, place)
    const name = readString(skill.name, `${place}.name`)
    const description = readOptionalString(skill.description, `${place}.description`) ?? ''
    const directory = readString(skill.path, `${place}.path`)
    return `- ${name} (${directory})${description === '' ? '' : `: ${description}`}`
  })
  return lines.length === 0 ? '' : [about, ...lines].join('\n')
}

const about =
  'These skills are directories on that machine, with instructions in their file SKILL.md. Read that file before a task for which a skill is made:'
