// @ts-check

/** @type {import('./client.mjs').Client} */
export const geminiCli = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: { script: '@google/gemini-cli/bundle/gemini.js' },
  modes: [
    {
      protocol: 'Gemini',
      isCore: true,
      returnsReasoning: true,
      setup: ({ url, prompt }) => ({
        args: ['-m', 'text-model', '--yolo', '-p', prompt],
        env: {
          GOOGLE_GEMINI_BASE_URL: url,
          GEMINI_API_KEY: 'anycall',
          // It would ask whether the folder is trusted.
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
        },
        files: {
          '.gemini/settings.json': JSON.stringify({
            security: { auth: { selectedType: 'gemini-api-key' } },
            privacy: { usageStatisticsEnabled: false },
            telemetry: { enabled: false },
            general: { enableAutoUpdate: false },
          }),
        },
      }),
      tools: {
        shell: (command) => ({ name: 'run_shell_command', input: { command } }),
        read: (path) => ({ name: 'read_file', input: { file_path: path } }),
        write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
        edit: (path, before, after) => ({
          name: 'replace',
          input: { file_path: path, instruction: 'Change the line.', old_string: before, new_string: after },
        }),
        image: (path) => ({ name: 'read_file', input: { file_path: path } }),
      },
      folder: ({ cwd }) => cwd,
    },
  ],
}
