// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.tool;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.Asking;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way from a handler to its caller. Thread-safe. */
public interface QuickCall {

    CallerInfo caller();

    Trace trace();

    /** Whether the caller has given the call up. */
    boolean isCancelled();

    /** Reports progress, where the caller wants it. */
    void progress(ProgressView progress);

    /** Sends a log line, where the caller wants it; {@code level} is one of RFC 5424's in lower case. */
    void log(String level, @Nullable String logger, Json data);

    /** What the caller can be asked. */
    Asking asking();

    /**
     * Asks the caller, and blocks until all answers have come.
     *
     * @param questions by key
     * @return the results by the same keys, checked against the questions
     * @throws RpcException where the caller answers with an error, or did not declare that it answers such questions
     */
    Map<String, Json> ask(Map<String, Question> questions) throws InterruptedException;
}
