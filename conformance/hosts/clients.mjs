// The official clients behind one face: a session lists tools, calls one, and closes.
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { readFileSync } from 'node:fs';

/** By how much a busy machine has more time. */
export const SLOWER = Number(process.argv[2] ?? 1);

/** How long the clients wait for an answer, in milliseconds. */
const TIMEOUT = 2_000 * SLOWER;

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
const named = (key, name, kind, revision, options = {}) => ({
  ...kind,
  key,
  name: `${name} ${versions[`@modelcontextprotocol/${name}`]} (${revision})`,
  revision,
  options,
});

export const CLIENTS = [
  named('v1', 'sdk', v1Face, '2025-11-25'),
  named('v2', 'client', v2Face, '2025-11-25'),
  named('v2-stateless', 'client', v2Face, '2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
];

/** @param answer what a form is filled in with; without it the client cannot show forms */
export async function connect(kind, server, answer) {
  const capabilities = answer ? { elicitation: {} } : {};
  const self = { name: `scripted-host-${kind.key}`, version: '1.0' };
  const client = new kind.Client(self, { capabilities, ...kind.options });
  if (answer) kind.elicits(client, async () => ({ action: 'accept', content: answer }));
  const transport =
    server.transport === 'http'
      ? new kind.Http(server.url)
      : new kind.Stdio({ command: server.command, args: server.args, stderr: server.log });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools: new Map(tools.map(tool => [tool.name, tool])),
    call: (name, args, options) => kind.call(client, { name, arguments: args }, { timeout: TIMEOUT, ...options }),
    pid: () => transport.pid,
    close: () => client.close(),
  };
}
