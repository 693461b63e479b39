// SPDX-License-Identifier: Apache-2.0
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Payload, PayloadCodec } from '@temporalio/common'
import { temporal } from '@temporalio/proto'

const { Payload: Form } = temporal.api.common.v1
const ENCODING = Buffer.from('binary/encrypted')
const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Encrypts payloads by the key in CODEC_KEY: 64 hexadecimal digits. */
export class EncryptingCodec implements PayloadCodec {
  constructor(private readonly key: Buffer) {}

  /** The codec of this process; none without a key. */
  static ofEnvironment(): EncryptingCodec[] {
    const key = process.env.CODEC_KEY
    return key ? [new EncryptingCodec(Buffer.from(key, 'hex'))] : []
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map(payload => {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, this.key, nonce)
      const data = [nonce, cipher.update(Form.encode(payload).finish()), cipher.final()]
      return { metadata: { encoding: ENCODING }, data: Buffer.concat([...data, cipher.getAuthTag()]) }
    })
  }

  /** Leaves a payload that is not encrypted as it is. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map(payload => {
      const data = Buffer.from(payload.data ?? [])
      if (!ENCODING.equals(Buffer.from(payload.metadata?.encoding ?? []))) return payload
      const cipher = createDecipheriv(CIPHER, this.key, data.subarray(0, NONCE)).setAuthTag(data.subarray(-TAG))
      return Form.decode(Buffer.concat([cipher.update(data.subarray(NONCE, -TAG)), cipher.final()]))
    })
  }
}
