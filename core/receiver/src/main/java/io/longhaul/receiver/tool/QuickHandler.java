// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.tool;

import io.longhaul.protocol.call.CallResponse;

/**
 * Answers one call. A handler may block its virtual thread, which is interrupted when the call is cancelled.
 * Thread-safe: many calls run at the same time. Any exception other than {@link RpcException} goes to the log, and the
 * caller gets an internal error.
 */
@FunctionalInterface
public interface QuickHandler {

    /** @throws io.longhaul.receiver.tool.RpcException what the caller is told as a JSON-RPC error */
    CallResponse answer(QuickCall way) throws Exception;
}
