// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

/** What it means that the stream of a response ends before the response, over HTTP. */
public enum StreamEnd {
    /** The client gives up its request. */
    CANCELS,
    /** The client sends its request again. */
    RESENDS,
    /** The client resumes a stream that broke, by the id of its last event. */
    RESUMES,
    /** The client also resumes a stream that the server has closed. */
    POLLS;

    /** Whether the events of the stream have ids, by which a client resumes the stream. */
    public boolean isResumed() {
        return this == RESUMES || this == POLLS;
    }
}
