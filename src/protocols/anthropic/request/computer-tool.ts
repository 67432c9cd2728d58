import type { JsonObject, Tool } from '../../../conversation/index.ts'
import { readOptionalBoolean, readOptionalNumber } from '../../fields.ts'

/** The actions of each version, as https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool documents them. */
const firstActions = [
  'screenshot',
  'key',
  'type',
  'mouse_move',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
  'cursor_position',
]

const laterActions = [...firstActions, 'triple_click', 'left_mouse_down', 'left_mouse_up', 'scroll', 'hold_key', 'wait']

const point = (description: string): JsonObject => ({
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description,
})

const firstParameters: JsonObject = {
  coordinate: point(
    'The point [x, y] in pixels from the upper left corner. For mouse_move and left_click_drag, and for a click elsewhere',
  ),
  text: {
    type: 'string',
    description: 'For type: the text. For key and hold_key: the keys, such as ctrl+s. For a click: keys that are held',
  },
}

const laterParameters: JsonObject = {
  ...firstParameters,
  start_coordinate: point('For left_click_drag: the point at which the drag begins'),
  scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'], description: 'For scroll' },
  scroll_amount: { type: 'integer', minimum: 0, description: 'For scroll: the number of steps' },
  duration: { type: 'number', minimum: 0, description: 'For hold_key and wait: seconds' },
}

const region: JsonObject = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 4,
  maxItems: 4,
  description: 'For zoom: the corners [x1, y1, x2, y2] of the region, upper left and lower right',
}

/** Returns the tool that controls the client's screen, with the screen's size from its entry in the request. */
export function computerTool(version: string, fields: JsonObject, path: string): Tool {
  const isFirst = version < '20250124'
  const zooms = (readOptionalBoolean(fields.enable_zoom, `${path}.enable_zoom`) ?? false) && version >= '20251124'
  const width = readOptionalNumber(fields.display_width_px, `${path}.display_width_px`)
  const height = readOptionalNumber(fields.display_height_px, `${path}.display_height_px`)
  const size = width === undefined || height === undefined ? '' : ` The screen has ${width} by ${height} pixels.`
  const actions = isFirst ? firstActions : zooms ? [...laterActions, 'zoom'] : laterActions
  return {
    name: 'computer',
    description: `Controls the mouse and the keyboard of a computer, and takes screenshots.${size} Take a screenshot before you click, to see where things are, and after it, to see what it did.`,
    schema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: [...actions], description: 'What to do' },
        ...(isFirst ? firstParameters : laterParameters),
        ...(zooms && { region }),
      },
      required: ['action'],
    },
  }
}
