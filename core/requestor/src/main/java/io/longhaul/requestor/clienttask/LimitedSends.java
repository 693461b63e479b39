// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages on threads of their own, and leaves messages out while a server that takes nothing makes too many of
 * these threads wait. Thread-safe.
 */
public final class LimitedSends {

    private static final Logger log = LoggerFactory.getLogger(LimitedSends.class);

    /** The most messages that are being sent at once; further ones are left out. */
    public static final int MOST = 100;

    private final Semaphore sending = new Semaphore(MOST);

    /** @param session takes the message to the server, and may block */
    public void send(Consumer<JsonRpcMessage> session, JsonRpcMessage message) {
        if (!sending.tryAcquire()) {
            log.debug("a message is left out, since the server does not take the earlier ones");
            return;
        }
        Thread.ofVirtual().name("longhaul-client-question").start(() -> {
            try {
                session.accept(message);
            } finally {
                sending.release();
            }
        });
    }
}
