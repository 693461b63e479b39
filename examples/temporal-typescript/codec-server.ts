// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Payload } from '@temporalio/common'
import { EncryptingCodec } from './codec'

type Sent = { metadata?: Record<string, string>, data?: string }

const [codec] = EncryptingCodec.ofEnvironment()
if (!codec) throw new Error('CODEC_KEY is not set')

const read = ({ metadata = {}, data = '' }: Sent): Payload => ({
  metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
  data: Buffer.from(data, 'base64')
})

const written = ({ metadata, data }: Payload): Sent => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')])),
  data: Buffer.from(data ?? []).toString('base64')
})

/** Encodes and decodes for programs on this machine. Before others reach it, it has to check who asks. */
createServer(async (request, response) => {
  try {
    const payloads = ((await json(request)) as { payloads: Sent[] }).payloads.map(read)
    const coded = await (request.url?.endsWith('/encode') ? codec.encode(payloads) : codec.decode(payloads))
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ payloads: coded.map(written) }))
  } catch (problem) {
    console.error(problem)
    response.writeHead(400).end()
  }
}).listen(Number(process.argv[2] ?? 8888), '127.0.0.1', () => console.log('a codec server is ready'))
