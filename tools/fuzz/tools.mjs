// @ts-check
import { tools as usual } from '../bench/robustness/tools.mjs'

/** @import { Tool } from '../../src/index.ts' */

/**
 * The tools that are offered: usual ones, and some whose schemas say little or much, or whose names are alike.
 * @type {readonly Tool[]}
 */
export const tools = [
  .../** @type {Tool[]} */ (usual),
  { name: 'run', description: '', schema: {} },
  { name: 'listTasks', description: '', schema: { type: 'object', properties: {} } },
  {
    name: 'fs.read-all',
    description: '',
    schema: {
      type: 'object',
      properties: {
        paths: { type: ['array', 'null'], items: { type: 'string' } },
        mode: { enum: ['text', 'binary', 3, null] },
        at: { anyOf: [{ type: 'integer' }, { type: 'object', properties: { line: { type: 'integer' } } }] },
      },
    },
  },
]
