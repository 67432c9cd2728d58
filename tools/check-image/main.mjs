/**
 * Runs the steps of deploy/Dockerfile without Docker: `npm run check:image`. The commands of its build stage are run in a temporary
 * folder (except `npm ci`, as the checkout has its packages), Node is the one of its version, from npm, without its symbols. The result
 * is started as the image starts it: as user 65532 if this one is root, with its files read-only. Prints the parts of the image's size;
 * the base image's is that of its Debian packages. Exit code: 1 if a step fails, or the image would be 150 MB or more.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DockerfileParser } from 'dockerfile-ast'

const project = fileURLToPath(new URL('../../', import.meta.url))
const mostMegabytes = 150
/** The packages of Debian in gcr.io/distroless/cc-debian12. */
const basePackages = [
  'base-files',
  'netbase',
  'tzdata',
  'libc6',
  'libssl3',
  'ca-certificates',
  'libgcc-s1',
  'libstdc++6',
  'libgomp1',
]
/** Their size in kB with Debian 12.12, where apt does not know them. */
const baseKilobytes = 25_517

const file = DockerfileParser.parse(readFileSync(join(project, 'deploy/Dockerfile'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'anycall-image-'))
const app = join(folder, 'app')
try {
  mkdirSync(app)
  mkdirSync(join(folder, 'tmp'))
  runBuildStage()
  const node = copyNode()
  const parts = { base: baseSize(), node: statSync(node).size / 1e6, app: sizeOf(app) / 1e6 }
  await startImage(node)
  const sum = Object.values(parts).reduce((total, part) => total + part, 0)
  for (const [name, megabytes] of Object.entries(parts))
    console.log(`${name.padEnd(6)}${megabytes.toFixed(1).padStart(8)} MB`)
  console.log(
    `image ${sum.toFixed(1).padStart(8)} MB, at most ${mostMegabytes}: ${sum < mostMegabytes ? 'ok' : 'too large'}`,
  )
  process.exitCode = sum < mostMegabytes ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs the commands of the first stage, with its folders in the temporary one. */
function runBuildStage() {
  const instructions = file.getInstructions()
  const stages = instructions.flatMap((one, index) => (one.getKeyword() === 'FROM' ? [index] : []))
  for (const instruction of instructions.slice(stages[0], stages[1])) {
    if (instruction.getKeyword() !== 'RUN') continue
    const command = instruction.getArgumentsContent() ?? ''
    if (command.startsWith('npm ci')) continue
    const moved = command.replaceAll(/(?<![\w/.-])\/(?:app|tmp)\b/g, (path) => join(folder, path))
    execFileSync('sh', ['-ec', moved], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

/** Returns Node of the Dockerfile's version, without symbols. */
function copyNode() {
  const version = file
    .getInitialARGs()
    .map((arg) => arg.getProperty())
    .find((one) => one?.getName() === 'NODE_VERSION')
    ?.getValue()
  const name = `node-linux-${process.arch}`
  const cache = join(project, `.cache/node-${version}`)
  execFileSync('npm', [
    'install',
    '--silent',
    '--no-fund',
    '--no-audit',
    '--no-save',
    '--prefix',
    cache,
    `${name}@${version}`,
  ])
  const node = join(folder, 'node')
  copyFileSync(join(cache, 'node_modules', name, 'bin/node'), node)
  execFileSync('strip', ['--strip-unneeded', node])
  return node
}

function baseSize() {
  try {
    const text = execFileSync('apt-cache', ['show', '--no-all-versions', ...basePackages], { encoding: 'utf8' })
    const sizes = [...text.matchAll(/^Installed-Size: (\d+)$/gm)].map(([, kilobytes]) => Number(kilobytes))
    if (sizes.length === basePackages.length) return sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1000
    console.log('apt does not know all packages of the base image: their last known size is taken')
  } catch (error) {
    console.log(
      `apt cannot be asked for the base image's size (${error.code ?? error.message}): its last known size is taken`,
    )
  }
  return baseKilobytes / 1000
}

function sizeOf(path) {
  const stats = statSync(path)
  return stats.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stats.size
}

/** Starts the gateway as the image does, and asks it whether it lives. */
async function startImage(node) {
  const config = join(folder, 'anycall.yaml')
  writeFileSync(
    config,
    'listen: { port: 0 }\nupstreams: { demo: { type: scripted } }\nmodels: [{ match: "*", upstream: demo }]\n',
  )
  execFileSync('chmod', ['-R', 'a+rX,a-w', app, config, node, folder])
  const [, ...entry] = JSON.parse(file.getENTRYPOINTs()[0].getArgumentsContent())
  const [command] = JSON.parse(file.getCMDs()[0].getArgumentsContent())
  const isRoot = process.getuid?.() === 0
  const child = spawn(node, [...entry.map((part) => part.replace('/app', app)), command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_ENV: 'production', ANYCALL_CONFIG: config },
    ...(isRoot && { uid: 65532, gid: 65532 }),
  })
  try {
    let said = ''
    for await (const text of child.stdout) {
      said += text
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (url === undefined) continue
      const { status } = await fetch(`${url}/livez`)
      if (status !== 200) throw new Error(`/livez answered ${status}`)
      console.log(`the gateway runs${isRoot ? ' as user 65532' : ''}, on files that it cannot write`)
      return
    }
    throw new Error('the gateway did not start')
  } finally {
    child.kill('SIGKILL')
    execFileSync('chmod', ['-R', 'u+w', folder])
  }
}
