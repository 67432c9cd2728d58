import { isJsonObject, type JsonObject, type JsonValue, type Tool } from '../../conversation/index.ts'
import { attributeValue, isAttributeText } from './render.ts'

/** Neutralises text of others for a prompt. */
type Neutralise = (text: string) => string

/**
 * A tool as elements, with its complete schema: keywords that have no element, or would break theirs, are in `<schema>`
 * as JSON. The schema's own type and version are left out: every tool takes an object.
 */
export function describeTool(tool: Tool, id: number, neutralise: Neutralise): string {
  const { properties, required, type, $schema: _version, ...rest } = tool.schema
  const names: JsonValue[] = Array.isArray(required) ? required : []
  const isElement = ([name, schema]: [string, unknown]) => isAttributeText(name) && isJsonObject(schema)
  const members = isJsonObject(properties) ? Object.entries(properties) : []
  const shown = members.filter(isElement)
  const shownNames: ReadonlySet<unknown> = new Set(shown.map(([name]) => name))
  const others = members.filter((member) => !isElement(member))
  const otherNames = names.filter((name) => !shownNames.has(name))
  const more: JsonObject = {
    ...(type === undefined || type === 'object' ? {} : { type }),
    ...(isJsonObject(properties) || properties === undefined ? {} : { properties }),
    ...(others.length > 0 ? { properties: Object.fromEntries(others) } : {}),
    ...(Array.isArray(required) || required === undefined ? {} : { required }),
    ...(otherNames.length > 0 ? { required: otherNames } : {}),
    ...rest,
  }
  const requiredNames = shown.map(([name]) => name).filter((name) => names.includes(name))
  return [
    `<tool id="${id}">`,
    `<name>${neutralise(attributeValue(tool.name))}</name>`,
    ...element('description', tool.description, neutralise),
    ...(requiredNames.length > 0
      ? [`<required>${requiredNames.map((name) => `<param>${neutralise(name)}</param>`).join('')}</required>`]
      : []),
    ...(shown.length > 0
      ? [
          '<parameters>',
          ...shown.flatMap(([name, schema]) => [
            `<parameter name="${name}">`,
            ...describeSchema(isJsonObject(schema) ? schema : {}, requiredNames.includes(name), neutralise),
            '</parameter>',
          ]),
          '</parameters>',
        ]
      : []),
    ...schemaElement(more, neutralise),
    '</tool>',
  ].join('\n')
}

function describeSchema(schema: JsonObject, isRequired: boolean, neutralise: Neutralise): string[] {
  const { type, description, enum: values, ...rest } = schema
  const isText = typeof description === 'string'
  return [
    ...(type === undefined ? [] : element('type', typeof type === 'string' ? type : JSON.stringify(type), neutralise)),
    `<required>${isRequired}</required>`,
    ...element('description', isText ? description : '', neutralise),
    ...(values === undefined ? [] : element('enum', JSON.stringify(values), neutralise)),
    ...schemaElement(isText || description === undefined ? rest : { ...rest, description }, neutralise),
  ]
}

function schemaElement(schema: JsonObject, neutralise: Neutralise): string[] {
  return Object.keys(schema).length === 0 ? [] : element('schema', JSON.stringify(schema), neutralise)
}

/** An element on one line; no line if it would be empty. */
function element(name: string, text: string, neutralise: Neutralise): string[] {
  return text === '' ? [] : [`<${name}>${neutralise(text)}</${name}>`]
}
