// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import org.jspecify.annotations.Nullable;

/** One request of a host that has no answer yet. For one thread at a time. */
final class HostRequest {

    /**
     * The form in which the request goes to a server.
     *
     * @param line       the line to send
     * @param repeatable whether the request may be sent to a second server without running twice
     * @param creates    whether the request creates a task, which a cancel of the request must reach
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

    /** Whether the request must not be sent again: a server has it, and its outcome is unknown. */
    boolean isBound() {
        return sent && !form.repeatable();
    }

    boolean isSent() {
        return sent;
    }

    /** Notes that the request is sent to the next server, and returns its line. */
    byte[] send() {
        repeated = sent;
        sent = true;
        refusedCancel = null;
        return form.line();
    }

    /** The line of the request, always the same object. */
    byte[] line() {
        return form.line();
    }

    boolean isRepeated() {
        return repeated;
    }

    /**
     * Whether this progress is new to the host. A server that takes the work up reports progress from the beginning.
     */
    boolean isNews(double value) {
        if (repeated && value <= progress) {
            return false;
        }
        progress = Math.max(progress, value);
        return true;
    }

    /** The second server's refusal of a cancel that the first server may have carried out, or null. */
    byte @Nullable [] refusedCancel() {
        return refusedCancel;
    }

    void refuseCancel(byte[] refusal) {
        refusedCancel = refusal;
    }
}
