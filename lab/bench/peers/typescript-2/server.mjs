// What the bench compares with: an echo, as the SDK serves it where nothing else is said, without sessions. It has no tasks.
// server.mjs http prints its address and ends with its input; server.mjs stdio speaks the protocol there.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const inputSchema = z.object({ word: z.string() });

function server() {
  const made = new McpServer({ name: 'bench', version: '1' });
  made.registerTool('echo', { description: 'Gives back a word.', inputSchema }, ({ word }) => ({
    content: [{ type: 'text', text: word }],
  }));
  return made;
}

if (process.argv[2] === 'stdio') {
  serveStdio(server);
} else {
  const http = createServer(toNodeHandler(createMcpHandler(server)));
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
  process.stdin.on('end', () => process.exit()).resume();
}
