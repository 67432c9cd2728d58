// @ts-check
import { opencodeModes } from './opencode.mjs'

/** @type {import('./client.mjs').Client} */
export const kilo = {
  id: 'kilo',
  name: 'Kilo',
  package: '@kilocode/cli',
  version: '7.7.7',
  program: { binary: '@kilocode/cli-PLATFORM/bin/kilo' },
  modes: opencodeModes('KILO', ['run', '-m', 'anycall/text-model']),
}
