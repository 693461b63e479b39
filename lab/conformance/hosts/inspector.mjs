// The command line of the official Inspector: each call is a process and a session of its own.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OUT } from './server.mjs';

const require = createRequire(import.meta.url);
const packaged = require.resolve('@modelcontextprotocol/inspector/package.json');
const { version, bin } = require(packaged);
const PROGRAM = join(packaged, '..', bin['mcp-inspector']);

/** What it stores goes to the folder of these checks. */
const env = { ...process.env, HOME: OUT };

function run(server, ...args) {
  const all = [PROGRAM, '--cli', '--server-url', server.url.href, '--transport', 'http', '--format', 'json', ...args];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, all, { env }, (error, out, log) => {
      const said = /^\{.*"result":.*\}$/m.exec(out);
      if (said) resolve(JSON.parse(said[0]).result);
      else reject(error ?? new Error(`no result in ${out}${log}`));
    });
  });
}

export const INSPECTOR = {
  key: 'inspector',
  name: `Inspector ${version} (2025-11-25)`,
  revision: '2025-11-25',
  /** Over stdio a server would live no longer than one call. */
  transports: ['http'],
  hold: 45,
  tells: false,
  stops: false,
  forms: false,
  /** A process for each call, and nothing is kept between two of them: it has no conversations. */
  parallel: false,

  async connect(server) {
    const { tools } = await run(server, '--method', 'tools/list');
    return {
      tools: new Set(tools.map(tool => tool.name)),
      call: (name, args) =>
        run(server, '--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
      close: () => {},
    };
  },
};
