// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.tool;

import io.longhaul.protocol.call.Answer;

/**
 * What a handler answers to one call, blocking its virtual thread, which is interrupted when the call is cancelled.
 * Thread-safe: many calls run at the same time. What it throws but {@link RpcException} goes to the log, and the caller
 * gets an internal error.
 */
@FunctionalInterface
public interface QuickHandler {

    /** @throws io.longhaul.receiver.tool.RpcException what the caller is told as a JSON-RPC error */
    Answer answer(QuickCall way) throws Exception;
}
