// @ts-check
// Compares the values that the declarations of each entry promise with those that the entry has, and checks that each function
// and class has a docstring with an example: `npm run check:declarations`, after a build. A bundler of declarations that turns a
// type into a value makes an import that type-checks and fails when it is loaded.
import { join } from 'node:path'
import { declarationFaults } from './declarations.mjs'

const faults = await declarationFaults(join(import.meta.dirname, '../../dist'))
for (const fault of faults) console.error(fault)
console.log(`declarations: ${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1
