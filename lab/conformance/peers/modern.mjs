// A server of the 2.x line, over stdio, or over HTTP on the port that PORT names.
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, acceptedContent, createMcpHandler, inputRequired } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from 'node:http';
import { z } from 'zod';

const text = said => ({ content: [{ type: 'text', text: said }] });

function modern() {
  const server = new McpServer({ name: 'modern', version: '1.0.0' });
  server.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => text(`Hello, ${name}!`));
  server.registerTool('remove', { inputSchema: z.object({ file: z.string() }) }, ({ file }, { mcpReq }) => {
    const answer = z.object({ sure: z.boolean() });
    const given = acceptedContent(mcpReq.inputResponses, 'sure', answer);
    return given
      ? text(`${file}: ${given.sure}`)
      : inputRequired({
          inputRequests: { sure: inputRequired.elicit({ message: `Remove ${file}?`, requestedSchema: answer }) },
        });
  });
  return server;
}

const { PORT } = process.env;
if (PORT) {
  createServer(toNodeHandler(createMcpHandler(modern))).listen(PORT, '127.0.0.1', () => console.log('listening'));
} else {
  serveStdio(modern);
}
