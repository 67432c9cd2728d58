// @ts-check
// node-llama-cpp with its prebuilt library for the processor, for the checks that run real llama.cpp. It is no dependency of the project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../.cache/check-grammar', import.meta.url))
const platforms = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
}

/** Installs it if it is missing; returns the folder that contains its node_modules. */
export function installLlama() {
  const platform = Reflect.get(platforms, `${process.platform}-${process.arch}`)
  if (platform === undefined)
    throw new Error(`node-llama-cpp has no library for ${process.platform} on ${process.arch}.`)
  mkdirSync(cache, { recursive: true })
  if (existsSync(join(cache, 'node_modules', '@node-llama-cpp', platform))) return cache
  writeFileSync(join(cache, 'package.json'), '{"private": true}\n')
  console.log('Installing node-llama-cpp into .cache/check-grammar ...')
  // Its own install script would build or download; the prebuilt library is a package by itself.
  const packages = ['node-llama-cpp@3', `@node-llama-cpp/${platform}@3`]
  const options = ['--no-save', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...packages], { cwd: cache, stdio: 'inherit' })
  return cache
}
