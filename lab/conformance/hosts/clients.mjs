// The clients behind one face: a session lists tools, calls one, and closes.
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { readFileSync } from 'node:fs';
import { INSPECTOR } from './inspector.mjs';
import { JAVA } from './java.mjs';

const versions = JSON.parse(readFileSync(new URL('package.json', import.meta.url))).dependencies;
const v1Face = {
  Client: ClientV1,
  Http: HttpV1,
  Stdio: StdioV1,
  elicits: (client, answer) => client.setRequestHandler(ElicitRequestSchema, answer),
  call: (client, params, options) => client.callTool(params, undefined, options),
};
const v2Face = {
  Client: v2.Client,
  Http: v2.StreamableHTTPClientTransport,
  Stdio: StdioV2,
  elicits: (client, answer) => client.setRequestHandler('elicitation/create', answer),
  call: (client, params, options) => client.callTool(params, options),
};

/** One of the TypeScript clients, which a signal stops, and whose calls have each a limit of their own. */
const typeScript = (key, name, face, revision, options = {}) => ({
  key,
  name: `${name} ${versions[`@modelcontextprotocol/${name}`]} (${revision})`,
  revision,
  transports: ['stdio', 'http'],
  hold: 45,
  tells: true,
  stops: true,
  forms: true,
  parallel: true,
  async connect(server, timeout, answer) {
    const capabilities = answer ? { elicitation: {} } : {};
    const self = { name: `scripted-host-${key}`, version: '1.0' };
    const client = new face.Client(self, { capabilities, ...options });
    if (answer) face.elicits(client, async () => ({ action: 'accept', content: answer }));
    const transport =
      server.transport === 'http'
        ? new face.Http(server.url)
        : new face.Stdio({ command: server.command, args: server.args, stderr: server.log });
    await client.connect(transport);
    const { tools } = await client.listTools();
    return {
      tools: new Set(tools.map(tool => tool.name)),
      call: (name, args, options) => face.call(client, { name, arguments: args }, { timeout, ...options }),
      pid: () => transport.pid,
      close: () => client.close(),
    };
  },
});

/**
 * What each can: `tells` when it gives up, `stops` a call for its user, shows `forms`, and makes calls in `parallel`.
 * The server as it comes holds its calls for `hold` seconds. It connects to a server with a time that it waits for an
 * answer, in milliseconds, which is its own where none is given, and with what a form is filled in with, without which
 * it says that it shows none.
 */
export const CLIENTS = [
  typeScript('v1', 'sdk', v1Face, '2025-11-25'),
  typeScript('v2', 'client', v2Face, '2025-11-25'),
  typeScript('v2-stateless', 'client', v2Face, '2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  JAVA,
  INSPECTOR,
];
