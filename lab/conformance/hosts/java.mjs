// The official Java client: one process has all of its sessions, and reads and writes a line of JSON for each request.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMMAND, OUT } from './server.mjs';

const POM = fileURLToPath(new URL('../../../pom.xml', import.meta.url));
const [, version] = /<mcp-java-sdk.version>(.*?)</.exec(readFileSync(POM, 'utf8'));

const waiting = new Map();
let ids = 0;
let clients;

function started() {
  const log = openSync(join(OUT, 'java-clients.log'), 'a');
  const child = spawn(COMMAND, ['java-clients'], { stdio: ['pipe', 'pipe', log] });
  createInterface({ input: child.stdout }).on('line', line => {
    const { id, result, error } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(result);
  });
  return child;
}

function ask(request) {
  clients ??= started();
  const id = ++ids;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    clients.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
  });
}

export const JAVA = {
  key: 'java',
  name: `Java ${version} (2025-11-25)`,
  revision: '2025-11-25',
  transports: ['stdio', 'http'],
  hold: 15,
  tells: false,
  /** The client has no way to give up a call, but by its clock. */
  stops: false,
  forms: true,
  parallel: true,

  async connect(server, timeout, answer) {
    const session = ++ids;
    const address =
      server.transport === 'http' ? { url: server.url.href } : { command: [server.command, ...server.args] };
    const name = timeout ? 'scripted-host-java' : undefined;
    const { tools, pid } = await ask({ session, connect: { name, answer, ...address } });
    return {
      tools: new Set(tools),
      call: (name, args, options) => ask({ session, call: { name, args, timeout, ...options } }),
      pid: () => pid,
      close: () => ask({ session }),
    };
  },
};
