import { AnycallError } from '../../conversation/index.ts'
import { neededModule } from './builtin-module.ts'

/**
 * Imports a package that is not installed with anycall: from the place of anycall's installation, or else from the current folder, where
 * `npm install` puts it. Bundlers do not follow it. If the package is missing, throws an AnycallError `unavailable` that says what needs it
 * and the command that installs it.
 */
export async function importOptionalPackage(name: string, user: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ name)
  } catch (error) {
    if (!isMissing(error, name)) throw error
  }
  let path: string
  try {
    const { createRequire } = neededModule('node:module', user)
    path = createRequire(`${process.cwd()}/package.json`).resolve(name)
  } catch (error) {
    if (!isMissing(error, name)) throw error
    throw new AnycallError(
      'unavailable',
      `${user} needs the package ${name}, which is not installed. Run: npm install ${name} (with -g, if anycall was installed with it)`,
      { cause: error },
    )
  }
  const { href } = neededModule('node:url', user).pathToFileURL(path)
  return import(/* @vite-ignore */ /* webpackIgnore: true */ href)
}

function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') && error.message.includes(name)
}
