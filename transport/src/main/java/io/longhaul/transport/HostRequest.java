// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import org.jspecify.annotations.Nullable;

/** One request of a host that has no answer yet. For one thread at a time. */
final class HostRequest {

    /**
     * How it goes to a server.
     *
     * @param line       what is sent
     * @param repeatable whether it may be sent to a second server without being done twice
     * @param creates    whether it makes a task, which a cancel of it has to reach
     */
    record Form(byte[] line, boolean repeatable, boolean creates) {}

    final RequestId id;
    final String method;
    final Json params;
    private final Form form;
    private boolean sent;
    private boolean repeated;
    private double progress = Double.NEGATIVE_INFINITY;
    private byte @Nullable [] refusedCancel;

    HostRequest(RequestId id, String method, Json params, Form form) {
        this.id = id;
        this.method = method;
        this.params = params;
        this.form = form;
    }

    boolean creates() {
        return form.creates();
    }

    /** A server has it, and it is not known whether it was done. */
    boolean isBound() {
        return sent && !form.repeatable();
    }

    boolean isSent() {
        return sent;
    }

    /** The line for the next server. */
    byte[] send() {
        repeated = sent;
        sent = true;
        refusedCancel = null;
        return form.line();
    }

    /** What servers are sent, always the same object. */
    byte[] line() {
        return form.line();
    }

    boolean isRepeated() {
        return repeated;
    }

    /** Whether the host has not seen this much progress; a server that takes the work up tells it from its start. */
    boolean isNews(double value) {
        if (repeated && value <= progress) {
            return false;
        }
        progress = Math.max(progress, value);
        return true;
    }

    /** What the second server said to a cancel that the first one may have carried out, or null. */
    byte @Nullable [] refusedCancel() {
        return refusedCancel;
    }

    void refuseCancel(byte[] refusal) {
        refusedCancel = refusal;
    }
}
